import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

interface Referee {
  readonly title: string;
  readonly package: string;
  readonly args: readonly string[];
  /** Scenarios that do not count for the referee and do for us. */
  readonly wanted: readonly string[];
}

const ROOT = resolve(import.meta.dirname, '..');
const SHIM = join(ROOT, 'scripts', 'referee-on-node-20.mjs');
const NEWEST = '@modelcontextprotocol/conformance';
const REFEREES: readonly Referee[] = [
  { title: '0.1.16, all', package: 'conformance-0.1', args: ['--suite', 'all'], wanted: [] },
  {
    title: '0.2.0-alpha.12, 2025-11-25',
    package: NEWEST,
    args: ['--requirements', '2025-11-25'],
    wanted: ['server-session-lifecycle'],
  },
  {
    title: '0.2.0-alpha.12, 2026-07-28',
    package: NEWEST,
    args: ['--requirements', '2026-07-28'],
    wanted: ['http-header-validation', 'http-custom-header-server-validation', 'json-schema-2020-12'],
  },
];

/** Runs the official referees against a server made with the embedding API; fails where one scenario fails. */
async function main(): Promise<number> {
  const server = spawn(process.execPath, ['--import', 'tsx', 'tests/conformance/fixture-server.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    const url = await firstLine(server);
    const verdicts = await Promise.all(REFEREES.map((referee) => judge(referee, url)));
    return verdicts.every(Boolean) ? 0 : 1;
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function judge({ title, package: name, args, wanted }: Referee, url: string): Promise<boolean> {
  const referee = join(ROOT, 'node_modules', name, 'dist', 'index.js');
  const child = spawn(process.execPath, ['--import', SHIM, referee, 'server', ...args, '--url', url], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const missing = wanted.filter((scenario) => !output.includes(`✓ ${scenario}:`));
  const good = code === 0 && missing.length === 0;
  const [, right, wrong] = /^Total: (\d+) passed, (\d+) failed/m.exec(output) ?? [];
  // The words of CI's last line are its alone.
  const total = right === undefined ? 'no result' : `${right} checks right, ${wrong} wrong`;
  const scored = /^Not scored.*$/m.exec(output)?.[0];
  process.stdout.write(`${good ? '✓' : '✗'} conformance ${title}: ${total}${scored ? ` (${scored})` : ''}\n`);
  if (!good)
    process.stdout.write(`${output}\n${problems}\nNot passed: ${missing.join(', ') || 'see above'}\n`);
  return good;
}

async function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    server.stdout?.once('data', (chunk) => found(String(chunk).trim()));
    server.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)));
  });
}

process.exitCode = await main();
