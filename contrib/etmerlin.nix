# SPDX-License-Identifier: MIT
# Not built here. nix-build contrib/etmerlin.nix, in a clone.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "etmerlin";
  version = "1.0.0";
  src = pkgs.lib.cleanSource ../.;

  nativeBuildInputs = with pkgs; [ autoreconfHook pkg-config ];
  buildInputs = with pkgs; [ bzip2 jansson judy libarchive xxHash xz zlib zstd ];
  configureFlags = [ "--without-tracer" ];
  enableParallelBuilding = true;

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/etmerlin $src/testdata/good/example.trace | grep -x 'D 1001 0 2'
  '';

  meta = {
    description = "Add the death of each object to a heap trace";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "etmerlin";
  };
}
