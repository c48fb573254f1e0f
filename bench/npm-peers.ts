import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './bench-suite.js';
import { nodeSubject, peerFile, plainEcho } from './own-subjects.js';

const PACKAGES = [
  '@modelcontextprotocol/server-filesystem@2026.8.31',
  '@wonderwhy-er/desktop-commander@0.2.52',
  'fastmcp@4.20.16',
];

/** Installs the other servers into a scratch folder. Their install scripts stay off: some report home. */
export function installNpmPeers(scratch: string, workspace: string): readonly Subject[] {
  const folder = join(scratch, 'peers');
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...PACKAGES],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const modules = join(folder, 'node_modules');
  const filesystem = join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js');
  const commander = join(modules, '@wonderwhy-er/desktop-commander/dist/index.js');
  return [
    // It has no echo: the cheapest call it offers, which ignores the message.
    nodeSubject('official filesystem', [filesystem, workspace], workspace, {
      tool: 'list_allowed_directories',
      expectedText: () => `Allowed directories:\n${workspace}`,
    }),
    nodeSubject('Desktop Commander', [commander], workspace),
    nodeSubject('fastmcp', [peerFile('fastmcp-echo.mjs'), modules], workspace, plainEcho),
  ];
}
