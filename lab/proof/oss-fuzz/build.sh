#!/bin/bash -eu
# Builds the targets of lab/proof, each with a starter and, where its inputs are files, with the
# golden files as seeds.

classes="$OUT/classes"
mvn -B -ntp test-compile -Pproof -pl lab/proof -am
mvn -B -ntp test -Pproof -pl lab/proof -am -Dtest=FuzzTest#none -X \
  | sed -n 's/.*test classpath: *//p' | tail -1 | tr -s ' ' '\n' > classpath
mkdir -p "$classes" "$OUT/lib"
while read -r entry; do
  case "$entry" in
    */jazzer*.jar | */test-classes) ;;
    *.jar) cp "$entry" "$OUT/lib/" ;;
    # Each module has services of its own under the same names.
    ?*) module=$(dirname "$(dirname "$entry")") && cp -r "$entry" "$classes/$(basename "$module")" ;;
  esac
done < classpath
cp -r "$JAVA_HOME" "$OUT/java"

golden=docs/golden
zip -qj "$OUT/ReadFilter_seed_corpus.zip" $golden/version-1/*.bloom
cp "$OUT/ReadFilter_seed_corpus.zip" "$OUT/MapFilter_seed_corpus.zip"
zip -qj "$OUT/OpenWindow_seed_corpus.zip" $golden/window-version-1/*
find interop/src/test/resources/golden -type f -size -8k | zip -q "$OUT/ReadForeign_seed_corpus.zip" -@
zip -qj "$OUT/ReadColumns_seed_corpus.zip" interop/src/test/resources/golden/{parquet-files,paimon}/*
cat $golden/shards-version-1/shards.manifest $golden/shards-version-1/shard-*.bloom > shards
zip -qj "$OUT/OpenShards_seed_corpus.zip" shards

for file in lab/proof/src/main/java/io/bloomery/proof/fuzz/*.java; do
  grep -q fuzzerTestOneInput "$file" || continue
  target=$(basename "$file" .java)
  cat > "$OUT/$target" << EOF
#!/bin/bash
# LLVMFuzzerTestOneInput, by which this is known as a target.
this=\$(cd "\$(dirname "\$0")" && pwd)
export JAVA_HOME="\$this/java"
export LD_LIBRARY_PATH="\$this/java/lib/server:\$this"
classpath=\$(printf '%s:' "\$this"/classes/* "\$this"/lib/*.jar)
"\$this/jazzer_driver" --agent_path="\$this/jazzer_agent_deploy.jar" --cp="\$classpath" \\
  --target_class=io.bloomery.proof.fuzz.$target \\
  --instrumentation_includes='io.bloomery.**:de.siegmar.**' --jvm_args="-Xmx512m" "\$@"
EOF
  chmod +x "$OUT/$target"
done
