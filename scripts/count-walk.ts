/**
 * Counts what one command walks through in a warm session, from the sources: the files of commands of which a function ran,
 * and how often a call went from the application to an adapter or back. Fails where it is more than there may be.
 * Usage: npx tsx scripts/count-walk.ts [--list] [COMMAND]
 */
import 'reflect-metadata';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandRunner } from '../src/application/ports/command/command-runner.js';
import { OutputStore } from '../src/application/ports/command/output-store.js';
import { ProgramLocator } from '../src/application/ports/command/program-locator.js';
import { createCastellan } from '../src/index.js';

const MOST_FILES = 75;
const MOST_CROSSINGS = 6;
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SUBSYSTEM = /^src\/(?:domain|application|infrastructure)\/(?:command|shell)\//;
const GIT = /^src\/infrastructure\/command\/git\//;

/** Calls over the border while something is counted. */
let crossings: string[] | undefined;

/** What one side hands to the other: each call of it, and of what is handed over by it, is a crossing. */
function bordered(value: unknown, name: string, receiver?: unknown): unknown {
  if (typeof value === 'function')
    return (...args: readonly unknown[]): unknown => {
      crossings?.push(name);
      const given = args.map((arg) => bordered(arg, `${name} calls back`));
      return bordered(Reflect.apply(value, receiver, given), name);
    };
  if (value instanceof Promise) return value.then((settled: unknown) => bordered(settled, name));
  if (!hasFunctions(value)) return value;
  return new Proxy(value, {
    get: (target, key) => bordered(Reflect.get(target, key), `${name}.${String(key)}`, target),
  });
}

/** A value with methods, or a result that holds one: plain data crosses as it is. */
function hasFunctions(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return false;
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return false;
  const members = Object.values(value);
  return (
    members.some((member) => typeof member === 'function') || ('value' in value && hasFunctions(value.value))
  );
}

/** A port itself: its methods are those of a class. */
function port<T extends object>(adapter: T, name: string): T {
  return new Proxy(adapter, {
    get: (target, key): unknown => {
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? bordered(member, `${name}.${String(key)}`, target) : member;
    },
  });
}

async function main(words: readonly string[]): Promise<number> {
  const isListed = words[0] === '--list';
  const command = words.slice(isListed ? 1 : 0).join(' ') || 'npm test';
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-walk-')));
  const workspace = join(base, 'workspace');
  const state = join(base, 'state');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'package.json'), '{ "scripts": { "test": "true" } }\n');
  writeFileSync(join(base, 'permissions.yaml'), 'version: 1\nextends: [builtin:workspace]\n');
  const castellan = await createCastellan({
    workspace,
    policy: join(base, 'permissions.yaml'),
    environment: { ...process.env, XDG_STATE_HOME: state, HOME: base },
    configure: (container) => {
      for (const token of [CommandRunner, OutputStore, ProgramLocator]) {
        const adapter = container.get<object>(token);
        container.rebind<object>(token).toConstantValue(port(adapter, String(token)));
      }
    },
  });
  const inspector = new Session();
  inspector.connect();
  try {
    const run = async (): Promise<void> => {
      const result = await castellan.execute('execute_command', { command });
      if (!result.success) throw new Error(JSON.stringify(result));
    };
    await run();
    await run();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await inspector.post('Profiler.takePreciseCoverage');
    crossings = [];
    await run();
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    const files = result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => (url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url))
      .filter((file) => file.startsWith('src/'));
    return report(files, crossings, isListed);
  } finally {
    inspector.disconnect();
    await castellan.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function report(files: readonly string[], over: readonly string[], isListed: boolean): number {
  const own = files.filter((file) => SUBSYSTEM.test(file)).sort();
  const git = own.filter((file) => GIT.test(file));
  const counted = new Map<string, number>();
  for (const name of over) counted.set(name, (counted.get(name) ?? 0) + 1);
  if (isListed) for (const file of own) console.log(`  ${file}`);
  for (const [name, count] of counted) console.log(`  ${count} × ${name}`);
  console.log(
    `${files.length} source files, ${own.length} of commands (at most ${MOST_FILES}), ${git.length} of git (none)`,
  );
  console.log(`${over.length} crossings (at most ${MOST_CROSSINGS})`);
  return own.length <= MOST_FILES && git.length === 0 && over.length <= MOST_CROSSINGS ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
