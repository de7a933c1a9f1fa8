# SPDX-License-Identifier: MIT
# Not built here. A formula for Homebrew on Linux; url and sha256 are those of the tarball of a release.
class Etmerlin < Formula
  desc "Add the death of each object to a heap trace"
  homepage "https://doi.org/10.1145/1133651.1133654"
  url "file:///path/to/etmerlin-1.0.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "autoconf" => :build
  depends_on "automake" => :build
  depends_on "pkg-config" => :build
  depends_on "bzip2"
  depends_on "jansson"
  depends_on "judy"
  depends_on "libarchive"
  depends_on :linux
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "autoreconf", "-i"
    mkdir "build-brew" do
      system "../configure", "--without-tracer", *std_configure_args
      system "make", "install"
    end
  end

  test do
    (testpath/"t").write "M 100 0 1\nN 1001 16 200 100 0 1\nE 100 1\n"
    assert_match "D 1001 1 2", shell_output("#{bin}/etmerlin t")
  end
end
