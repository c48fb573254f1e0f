/**
 * The table of docs/explanation/comparison.md that compares Castellan with other servers: each is installed from npm, confined to a folder
 * as its documentation says, and asked. PEER_OFFICIAL and PEER_COMMANDER name folders of node_modules that are there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeer } from '../peer-packages.js';
import { COMPARED } from './compared-servers.js';
import { type Column, columnOf, renderComparison } from './comparison.js';

const scratch = mkdtempSync(join(tmpdir(), 'castellan-comparison-'));
try {
  const columns: Column[] = [];
  for (const server of COMPARED) {
    const modules = server.peer === undefined ? scratch : installPeer(server.peer, scratch, console.error);
    if (modules !== undefined) columns.push(await columnOf(server, modules));
  }
  console.log(renderComparison(columns));
  console.log('\nAsked for a file outside of the folder, they answer:\n');
  for (const { title, refusal } of columns) console.log(`- ${title}: "${refusal.replaceAll(/\s+/g, ' ')}"`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
