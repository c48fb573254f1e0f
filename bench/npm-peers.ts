import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './bench-suite.js';
import { officialFiles } from './file-tools.js';
import { nodeServer, nodeSubject, peerFile, plainEcho } from './own-subjects.js';

interface NpmPeer {
  readonly name: string;
  readonly spec: string;
  readonly subject: (modules: string, workspace: string) => Subject;
}

const PEERS: readonly NpmPeer[] = [
  {
    name: 'official filesystem',
    spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
    subject: (modules, workspace) => {
      const file = join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js');
      const serving = (root: string) =>
        // It has no echo: the cheapest call it offers, which ignores the message.
        nodeSubject('official filesystem', [file, root], root, {
          tool: 'list_allowed_directories',
          expectedText: () => `Allowed directories:\n${root}`,
        });
      return { ...serving(workspace), files: officialFiles, rooted: (root) => serving(root).server };
    },
  },
  {
    name: 'Desktop Commander',
    spec: '@wonderwhy-er/desktop-commander@0.2.52',
    subject: (modules, workspace) =>
      nodeSubject(
        'Desktop Commander',
        [join(modules, '@wonderwhy-er/desktop-commander/dist/index.js')],
        workspace,
      ),
  },
  {
    name: 'fastmcp',
    spec: 'fastmcp@4.20.16',
    subject: (modules, workspace) => ({
      ...nodeSubject('fastmcp', [peerFile('fastmcp-echo.mjs'), modules], workspace, plainEcho),
      http: nodeServer([peerFile('fastmcp-echo.mjs'), modules, '7399'], workspace),
    }),
  },
];

/** Installs each other server into a folder of its own; one that cannot be installed is named and left out. */
export function installNpmPeers(
  scratch: string,
  workspace: string,
  report: (line: string) => void,
): readonly Subject[] {
  return PEERS.flatMap((peer, index) => {
    const folder = join(scratch, `peer-${index}`);
    const failure = install(peer.spec, folder);
    if (failure === undefined) return [peer.subject(join(folder, 'node_modules'), workspace)];
    report(`${peer.name} is not measured, ${peer.spec} did not install: ${failure}`);
    return [];
  });
}

// Install scripts stay off: some peers report home from theirs.
function install(spec: string, folder: string): string | undefined {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, spec], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.split('\n').slice(1, 3).join(' ').trim() || text;
  }
}
