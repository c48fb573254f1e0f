import { existsSync } from 'node:fs';
import { JudgeCallHandler } from '../../application/call/pipeline/judge-call.js';
import { Logger } from '../../application/ports/system/logger.js';
import { Workspace } from '../../application/ports/system/workspace.js';
import { type HookClient, isHookClient } from '../../domain/client/mcp-client.js';
import { hookFolder, hookIdentity } from '../../infrastructure/hook/hook-door.js';
import { HookListener } from '../../infrastructure/hook/hook-listener.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import { answerHook } from '../../presentation/hook/answer-hook.js';
import type { HookAnswer } from '../../presentation/hook/hook-contract.js';
import type { Castellan } from './castellan.js';
import { packageVersion } from './package-version.js';

/** What this server says to a hook of the client. */
export function answerWith({ container }: Castellan, client: HookClient, input: string): Promise<HookAnswer> {
  const handler = container.get(JudgeCallHandler);
  return answerHook(client, input, (query) => handler.handle(query));
}

/** Undefined if this user has no hooks. */
export async function listenForHooks(castellan: Castellan): Promise<HookListener | undefined> {
  const { container } = castellan;
  const state = resolveStateFolder(process.env);
  if (!state.success || !existsSync(hookFolder(state.value))) return undefined;
  const identity = hookIdentity(container.get(Workspace).root, process.env, packageVersion);
  const listener = new HookListener(hookFolder(state.value), identity, async (client, input) =>
    isHookClient(client) ? answerWith(castellan, client, input) : undefined,
  );
  try {
    await listener.listen();
    return listener;
  } catch (error) {
    container.get(Logger).warn('Hooks are answered without this server, which is slower', { error });
    return undefined;
  }
}
