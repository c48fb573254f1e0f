/**
 * Counts what a call walks through in a warm server, by instrumentation: every function of src notes its file when it is
 * entered. Files are those of which a function ran; a crossing is an entry into another layer than the one before it.
 * Fails where it is more than there may be.
 * Usage: npx tsx scripts/count-calls.ts [--root FOLDER] [--list], FOLDER being another checkout with its node_modules.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';
import { isJsonObject } from '../src/domain/json-value.js';

/** What there may be: of files, and of crossings (per tool for the list). */
const MOST = {
  'read_file over stdio': { files: 115, crossings: 175 },
  'tools/list, a tool': { files: 30, crossings: 8 },
  'policy reload': { files: 70, crossings: 2800 },
} as const;
type Walk = keyof typeof MOST;

const { values } = parseArgs({ options: { root: { type: 'string' }, list: { type: 'boolean' } } });
const ROOT = resolve(values.root ?? join(import.meta.dirname, '..'));

const entered: string[] = [];
let isCounting = false;
Object.assign(globalThis, {
  castellanEntered: (file: string) => {
    if (isCounting) entered.push(file);
  },
});

/** A note of its file at the beginning of every function. */
const noteEntries: Plugin = {
  name: 'note-entries',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({ contents: noted(path), loader: 'ts' }));
  },
};

function noted(path: string): string {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const note = `castellanEntered(${JSON.stringify(relative(ROOT, path))})`;
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const { body } = node;
      if (ts.isBlock(body)) {
        const call = ts.isConstructorDeclaration(node) && extendsAnother(node) ? undefined : `${note};`;
        if (call !== undefined) inserts.push({ at: body.getStart() + 1, text: call });
      } else inserts.push({ at: body.getStart(), text: `(${note},` }, { at: body.getEnd(), text: ')' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return inserts
    .map((insert, order) => ({ ...insert, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((out, { at, text: added }) => out.slice(0, at) + added + out.slice(at), text);
}

/** Its constructor begins with that of the other class. */
function extendsAnother({ parent }: ts.ConstructorDeclaration): boolean {
  return parent.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ?? false;
}

interface Server {
  readonly container: { get(token: symbol): unknown };
  serve(input: PassThrough, output: PassThrough): Promise<void>;
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** The library of that checkout with notes in it, as a server of a folder of its own. */
async function open(base: string): Promise<Server> {
  const outfile = join(ROOT, 'node_modules', `.castellan-walk-${process.pid}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'src/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [noteEntries],
    tsconfig: join(ROOT, 'tsconfig.json'),
    banner: { js: `import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);` },
  });
  try {
    const { createCastellan } = await import(pathToFileURL(outfile).href);
    return await createCastellan({
      workspace: join(base, 'workspace'),
      policy: join(base, 'permissions.yaml'),
      environment: { PATH: process.env.PATH, XDG_STATE_HOME: join(base, 'state'), HOME: base },
      logLevel: 'silent',
    });
  } finally {
    rmSync(outfile);
  }
}

/** A client at the other end of a pair of streams. */
function clientOf(server: Server) {
  const input = new PassThrough();
  const output = new PassThrough();
  void server.serve(input, output);
  let rest = '';
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  output.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: unknown = JSON.parse(line);
      if (isJsonObject(message) && typeof message.id === 'number') waiting.get(message.id)?.(message);
    }
  });
  let last = 0;
  return {
    tell: (method: string) => input.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    ask: (method: string, params: object) =>
      new Promise<Record<string, unknown>>((answered) => {
        last += 1;
        waiting.set(last, answered);
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
      }),
    end: () => input.end(),
  };
}

interface Counted {
  readonly files: readonly string[];
  readonly crossings: number;
  readonly entries: number;
  /** Each crossing, from a file to a file. */
  readonly pairs: readonly string[];
}

/** The third time: the first ones load and cache what later ones have. */
async function counted(walk: () => Promise<unknown>): Promise<Counted> {
  await walk();
  await walk();
  await rest();
  entered.length = 0;
  isCounting = true;
  await walk();
  await rest();
  isCounting = false;
  const pairs = entered.flatMap((file, index) => {
    const before = entered[index - 1] ?? file;
    return layerOf(before) === layerOf(file) ? [] : [`${before} → ${file}`];
  });
  const files = [...new Set(entered)].sort();
  return { files, crossings: pairs.length, entries: entered.length, pairs };
}

function layerOf(file: string): string | undefined {
  return file.split('/', 2)[1];
}

/** The crossings that were counted most often. */
function frequent(pairs: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, 40).map(([pair, count]) => `${count} × ${pair}`);
}

/** What a call does after its answer belongs to it. */
const rest = () => new Promise((done) => setTimeout(done, 300));

async function main(): Promise<number> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-walk-')));
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(base, 'workspace'));
  writeFileSync(join(base, 'workspace', 'notes.txt'), 'one\ntwo\n');
  const policy = (rate: number) =>
    writeFileSync(
      join(base, 'permissions.yaml'),
      `version: 1\nextends: [builtin:workspace]\ntools: { echo: { rate: { limit: ${rate}/min } } }\n`,
    );
  policy(100);
  const server = await open(base);
  const client = clientOf(server);
  try {
    const clientInfo = { name: 'walk', version: '1' };
    await client.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    client.tell('notifications/initialized');
    const read = await counted(() =>
      called(client, 'tools/call', { name: 'read_file', arguments: { path: 'notes.txt' } }),
    );
    let tools = 0;
    const list = await counted(async () => {
      const { tools: listed } = await called(client, 'tools/list', {});
      tools = Array.isArray(listed) ? listed.length : 0;
    });
    const source = server.container.get(Symbol.for('castellan.PolicySource'));
    let rate = 100;
    const reload = await counted(async () => {
      rate += 1;
      policy(rate);
      await reloaded(source);
    });
    return report({
      'read_file over stdio': read,
      'tools/list, a tool': { ...list, crossings: list.crossings / tools },
      'policy reload': reload,
    });
  } finally {
    client.end();
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function called(client: ReturnType<typeof clientOf>, method: string, params: object) {
  const { result, error } = await client.ask(method, params);
  if (!isJsonObject(result) || result.isError === true) throw new Error(JSON.stringify(error ?? result));
  return result;
}

async function reloaded(source: unknown): Promise<void> {
  if (typeof source !== 'object' || source === null || !('reload' in source))
    throw new Error('No policy file.');
  const { reload } = source;
  if (typeof reload !== 'function') throw new Error('The policy cannot be read again.');
  await Reflect.apply(reload, source, []);
}

function report(walks: Readonly<Record<Walk, Counted>>): number {
  let isOver = false;
  for (const [name, { files, crossings, entries, pairs }] of Object.entries(walks)) {
    const most =
      MOST[name === 'policy reload' || name === 'tools/list, a tool' ? name : 'read_file over stdio'];
    isOver ||= files.length > most.files || crossings > most.crossings;
    console.log(
      `${name}: ${files.length} files (at most ${most.files}), ${crossings.toFixed(1)} crossings (at most ${most.crossings}), ${entries} functions entered`,
    );
    if (values.list === true) for (const line of [...files, ...frequent(pairs)]) console.log(`  ${line}`);
  }
  return isOver ? 1 : 0;
}

process.exitCode = await main();
