'use strict';
// Runs a bundle, and the chunks it asks for, from V8's code cache: parsing and compiling them anew would be half
// of the start. For any Node but the one that made the cache, the files are compiled as usual.
const { readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { Script } = require('node:vm');

const scripts = new Map();
const loaded = new Map();

/**
 * V8 looks at its own version only: another Node with the same V8, or the same Node built otherwise, takes the cache
 * and crashes.
 */
function thisNode() {
  return JSON.stringify([process.version, process.platform, process.arch, process.config]);
}

/** Beside the bundle: the Node that made its caches. */
const madeBy = (start) => join(dirname(start), 'code-cache.json');

let isOurs;

function isMadeByThisNode(start) {
  try {
    return readFileSync(madeBy(start), 'latin1') === thisNode();
  } catch {
    // No cache was made.
    return false;
  }
}

function readCache(file, start) {
  isOurs ??= isMadeByThisNode(start);
  if (!isOurs) return undefined;
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    // Nobody used this file while the caches were made: slower, not different.
    return undefined;
  }
}

/** V8 keeps the name in the cache, where a stack would tell of the folder that the build ran in. */
function shown(file, start) {
  return join('castellan', relative(dirname(start), file));
}

/** `start` is the bundle that has the modules which chunks share with it. */
function load(file, start = file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  // The build writes nothing but ASCII, which is read and kept at half the cost.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: shown(file, start),
    cachedData: readCache(file, start),
  });
  scripts.set(file, script);
  const module = { exports: {} };
  loaded.set(file, module);
  const inside = (id) => {
    if (id.startsWith('start:')) return fromStart(id, start);
    // What is no chunk is a package, which is found from here as from the folder of the bundle.
    return id.startsWith('./chunks/') ? load(join(dirname(start), id), start) : require(id);
  };
  inside.resolve = require.resolve;
  try {
    script.runInThisContext()(module.exports, inside, module, file, dirname(file));
  } catch (error) {
    loaded.delete(file);
    throw error;
  }
  return module.exports;
}

function fromStart(id, start) {
  const shared = loaded.get(start).exports.shared[id];
  if (shared !== undefined) return shared;
  throw new Error('The program was replaced by another build while it ran. Start it again.');
}

module.exports = { load, madeBy, scripts, thisNode };
