import { mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { isHookClient } from '../../domain/client/mcp-client.js';
import { hookFolder } from '../../infrastructure/hook/hook-door.js';
import { takeHookInput } from '../../infrastructure/hook/hook-input.js';
import { hookWorkspace } from '../../infrastructure/hook/hook-workspace.js';
import { errnoOf } from '../../infrastructure/state/errno.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import type { HookAnswer } from '../../presentation/hook/hook-contract.js';
import { answerWith } from '../server/hook-listening.js';
import { openHere } from '../server/serve.js';

/** From the start of the process. Clients wait ten seconds, and some make the call if nothing was said by then. */
const DEADLINE_MS = 5000;

/**
 * `castellan hook CLIENT` without a server that runs already. Every way out refuses: a mistake of ours must not be
 * taken for consent.
 */
export async function hookAction(where: GlobalOptions, client: string): Promise<number> {
  const left = DEADLINE_MS - process.uptime() * 1000;
  const late = new Promise<HookAnswer>((resolve) => {
    setTimeout(() => resolve(refused('had no time to judge this call')), Math.max(left, 0)).unref();
  });
  const answer = await Promise.race([judge(where, client), late]).catch((error: unknown) =>
    refused(`cannot judge this call: ${error instanceof Error ? error.message : String(error)}`),
  );
  process.stdout.write(answer.stdout);
  process.stderr.write(answer.stderr);
  return answer.code;
}

function refused(why: string): HookAnswer {
  return { code: 2, stdout: '', stderr: `Castellan ${why}\n` };
}

async function judge(where: GlobalOptions, client: string): Promise<HookAnswer> {
  if (!isHookClient(client)) return refused(`knows no hook of ${client}.`);
  const input = takeHookInput() ?? (await text(process.stdin));
  invite();
  const folder = hookWorkspace(client, process.env);
  // Not as a workspace that somebody named: a home or the root of the machine is refused, as it is for a server.
  if (where.workspace === undefined && folder !== undefined) process.chdir(folder);
  const castellan = await openHere({ ...where, logLevel: 'silent' });
  try {
    return await answerWith(castellan, client, input);
  } finally {
    await castellan.close();
  }
}

/** Servers that start from now on answer hooks. */
function invite(): void {
  const state = resolveStateFolder(process.env);
  if (!state.success) return;
  try {
    mkdirSync(hookFolder(state.value), { recursive: true, mode: 0o700 });
  } catch (error) {
    // Slower, and as right.
    if (errnoOf(error) === undefined) throw error;
  }
}
