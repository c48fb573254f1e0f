import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another server, as npm has it. */
export interface PeerPackage {
  readonly key: string;
  readonly title: string;
  readonly spec: string;
  /** Versions that a registry may lack and that the server does not need. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The arguments of Node that start it for the files below a folder. */
  readonly start: (modules: string, root: string) => readonly string[];
}

export const OFFICIAL: PeerPackage = {
  key: 'official',
  title: 'official filesystem',
  spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
  start: (modules, root) => [join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js'), root],
};

export const COMMANDER: PeerPackage = {
  key: 'commander',
  title: 'Desktop Commander',
  spec: '@wonderwhy-er/desktop-commander@0.2.52',
  overrides: { 'typedarray.prototype.slice': '1.0.5' },
  start: (modules) => [join(modules, '@wonderwhy-er/desktop-commander/dist/index.js')],
};

export const FASTMCP: PeerPackage = {
  key: 'fastmcp',
  title: 'fastmcp',
  spec: 'fastmcp@4.20.16',
  start: (modules) => [join(import.meta.dirname, 'peers', 'fastmcp-echo.mjs'), modules],
};

/**
 * The node_modules of a server, installed below the scratch folder. The environment may name one that is there already
 * (PEER_OFFICIAL and so on). undefined, and a word about it, for one that does not install.
 */
export function installPeer(
  { key, title, spec, overrides }: Omit<PeerPackage, 'start'>,
  scratch: string,
  report: (line: string) => void,
): string | undefined {
  const given = process.env[`PEER_${key.toUpperCase()}`];
  if (given !== undefined) return given;
  const folder = join(scratch, `peer-${key}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  // Install scripts stay off: some peers report home from theirs.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...quiet, spec], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    report(`${title} is left out, ${spec} did not install: ${text.split('\n').slice(1, 3).join(' ').trim()}`);
  }
  const modules = join(folder, 'node_modules');
  return existsSync(modules) ? modules : undefined;
}
