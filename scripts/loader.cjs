#!/usr/bin/env node
'use strict';
// Runs the bundle from V8's code cache: parsing and compiling it anew would be half of the start.
// A cache that another version of Node made is refused by V8, and the bundle is compiled as usual.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, 'command', 'castellan.js');
let cachedData;
try {
  cachedData = readFileSync(`${file}.cache`);
} catch {
  // Built without a cache: slower, not different.
}
const script = new Script(
  `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
  {
    filename: file,
    cachedData,
  },
);
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(file), module_, file, dirname(file));
