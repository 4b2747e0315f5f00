#!/bin/sh
# Makes charts.min.js and table.min.js: sh build.sh, with npm and a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp "$here"/*.entry.js "$work"
cd "$work"
npm install --no-fund --no-audit echarts@6.1.0 @tanstack/table-core@9.3.1 esbuild@0.28.2
node node_modules/esbuild/install.js
for name in charts table; do
    npx esbuild "$name.entry.js" --bundle --minify --charset=ascii --format=iife \
        --global-name="$name" --target=es2020 --define:process.env.NODE_ENV='"production"' \
        --legal-comments=none --banner:js="/*
$(cat "$here/$name.licence.txt")
*/" --outfile="$here/$name.min.js"
done
