/**
 * Counts what one command walks through in a warm session: the source files of commands whose functions run, and how often
 * a call goes from the application to an adapter or back. Run it from the sources: `npx tsx scripts/count-walk.ts [COMMAND]`.
 * It fails where there is more than docs/architecture.md promises.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Container, ServiceIdentifier } from 'inversify';
import { CommandSandbox, DirectRunner } from '../src/application/ports/command/command-sandbox.js';
import { CommandViewFactory } from '../src/application/ports/command/command-view.js';
import { OutputStore } from '../src/application/ports/command/output-store.js';
import { ProgramLocator } from '../src/application/ports/command/program-locator.js';
import { createCastellan } from '../src/index.js';

const MOST_FILES = 75;
const MOST_CROSSINGS = 6;
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SUBSYSTEM = /^src\/(?:domain|application|infrastructure)\/command\//;
const PORTS: readonly ServiceIdentifier<object>[] = [
  CommandSandbox,
  DirectRunner,
  CommandViewFactory,
  OutputStore,
  ProgramLocator,
];

/** Calls over the border, by name; counted while `counts` is set. */
const crossings = new Map<string, number>();
let counts = false;

/** An object of one side as the other sees it: each call of it, and of what it hands over, is a crossing. */
function bordered<T>(value: T, name: string): T {
  if (typeof value === 'function') {
    const counted = (...args: readonly unknown[]): unknown => {
      if (counts) crossings.set(name, (crossings.get(name) ?? 0) + 1);
      return bordered(value(...args.map((each, index) => bordered(each, `${name}(${index})`))), `${name}()`);
    };
    return counted as T;
  }
  if (value instanceof Promise) return value.then((settled) => bordered(settled, name)) as T;
  if (!isPlain(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, bordered(member, `${name}.${key}`)]);
  return Object.fromEntries(members);
}
