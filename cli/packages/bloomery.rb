class Bloomery < Formula
  desc "Bloom filters of lines, in files and pipes"
  homepage "https://github.com/bloomery/bloomery"
  url "https://github.com/bloomery/bloomery/releases/download/v@VERSION@/bloomery-cli-@VERSION@-standalone.jar"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "openjdk"

  def install
    libexec.install "bloomery-cli-#{version}-standalone.jar" => "bloomery.jar"
    chmod 0755, libexec/"bloomery.jar"
    (bin/"bloomery").write_env_script libexec/"bloomery.jar", Language::Java.overridable_java_home_env
    generate_completions_from_executable(bin/"bloomery", "generate-completion", shells: [:bash])
  end

  test do
    (testpath/"lines").write("ada\nbob\n")
    system bin/"bloomery", "create", "-o", "lines.bloom", "lines"
    assert_equal "ada\nbob\n", shell_output("#{bin}/bloomery check lines.bloom lines")
  end
end
