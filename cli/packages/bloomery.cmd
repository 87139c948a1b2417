@echo off
rem The bloomery command on Windows: runs the bloomery.jar that lies beside this file, with Java 17
rem or newer. JAVA_HOME chooses the Java and JAVA_OPTS are options for it; BLOOMERY_PATH is a class
rem path of variants that others have made, separated by semicolons.

setlocal
set "jar=%~dp0bloomery.jar"
if not exist "%jar%" goto no_jar

set "java=java"
if not defined JAVA_HOME goto look_for_java
set "java=%JAVA_HOME%\bin\java.exe"
if not exist "%java%" goto no_java
goto run

:look_for_java
where /q java
if errorlevel 1 goto no_java

:run
set "path_of_classes=%jar%"
if defined BLOOMERY_PATH set "path_of_classes=%jar%;%BLOOMERY_PATH%"
rem A Java that cannot start ends with 1, which would be an answer: the command adds 100 to its own.
"%java%" -XX:+UseSerialGC %JAVA_OPTS% -Dbloomery.launcher=0 -cp "%path_of_classes%" io.bloomery.cli.Main %*
set "code=%ERRORLEVEL%"
if %code% equ 170 exit /b 70
if %code% geq 100 if %code% leq 106 goto answered
if %code% gtr 128 exit /b %code%
>&2 echo bloomery: Java could not start, or ended by itself with exit code %code%; see what it printed, JAVA_OPTS, and whether there is enough memory
exit /b 70

:answered
set /a code=%code% - 100
exit /b %code%

:no_jar
>&2 echo bloomery: cannot find "%jar%"; put bloomery.jar beside bloomery.cmd
exit /b 70

:no_java
>&2 echo bloomery: cannot find "%java%"; install Java 17 or newer, or set JAVA_HOME
exit /b 70
