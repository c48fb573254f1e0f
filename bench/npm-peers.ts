import type { Subject } from './bench-suite.js';
import { officialFiles } from './file-tools.js';
import { nodeServer, nodeSubject, plainEcho } from './own-subjects.js';
import { COMMANDER, FASTMCP, installPeer, OFFICIAL, type PeerPackage } from './peer-packages.js';

interface NpmPeer {
  readonly peer: PeerPackage;
  readonly subject: (modules: string, workspace: string) => Subject;
}

const PEERS: readonly NpmPeer[] = [
  {
    peer: OFFICIAL,
    subject: (modules, workspace) => {
      const serving = (root: string) =>
        // It has no echo: the cheapest call it offers, which ignores the message.
        nodeSubject(OFFICIAL.title, OFFICIAL.start(modules, root), root, {
          tool: 'list_allowed_directories',
          expectedText: () => `Allowed directories:\n${root}`,
        });
      return { ...serving(workspace), files: officialFiles, rooted: (root) => serving(root).server };
    },
  },
  {
    peer: COMMANDER,
    subject: (modules, workspace) =>
      nodeSubject(COMMANDER.title, COMMANDER.start(modules, workspace), workspace),
  },
  {
    peer: FASTMCP,
    subject: (modules, workspace) => {
      const args = FASTMCP.start(modules, workspace);
      return {
        ...nodeSubject(FASTMCP.title, args, workspace, plainEcho),
        http: nodeServer([...args, '7399'], workspace),
      };
    },
  },
];

/** Installs each other server into a folder of its own; one that cannot be installed is named and left out. */
export function installNpmPeers(
  scratch: string,
  workspace: string,
  report: (line: string) => void,
): readonly Subject[] {
  return PEERS.flatMap(({ peer, subject }) => {
    const modules = installPeer(peer, scratch, report);
    return modules === undefined ? [] : [subject(modules, workspace)];
  });
}
