import type { HandlerOutcome } from '../../src/application/call/runnable-tool.js';
import type { ToolContext } from '../../src/application/call/tool-context.js';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import type { CastellanOptions } from '../../src/composition/configuration/castellan-options.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { Result } from '../../src/domain/result.js';
import { ToolResult } from '../../src/domain/tool/tool-result.js';
import { HttpClient } from './http-client.js';
import { definition } from './sample-tool.js';

export const TOKEN = 'a-token-for-tests-only';

export interface Gate {
  /** How often `waiting` was entered, and what lets it go on. */
  entered: number;
  aborted: boolean;
  open: () => void;
}

function tool(name: string, run: (context: ToolContext) => Promise<HandlerOutcome>): ToolDefinition {
  return definition({ name, run: (_args, _needs, context) => run(context) });
}

/** Tools that stream, ask, wait and cut their connection. */
export function streamingTools(gate: Gate): readonly ToolDefinition[] {
  return [
    tool('progressing', async (context) => {
      context.progress(1, 2, 'half');
      context.log('info', 'working');
      return Result.ok(ToolResult.text('done'));
    }),
    tool('asking', async (context) => {
      const answer = await context.elicit({ message: 'Go on?', fields: { yes: { type: 'boolean' } } });
      return Result.ok(ToolResult.text(answer.action));
    }),
    tool('waiting', async (context) => {
      gate.entered += 1;
      await new Promise<void>((resolve) => {
        gate.open = resolve;
        context.signal.addEventListener('abort', () => {
          gate.aborted = true;
          resolve();
        });
      });
      return Result.ok(ToolResult.text('waited'));
    }),
    tool('cutting', async (context) => {
      context.log('info', 'before');
      context.closeStream();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return Result.ok(ToolResult.text('after'));
    }),
  ];
}

export async function listeningCastellan(
  options: CastellanOptions,
  admin: { readonly host: string; readonly port: number } | 'off' = 'off',
) {
  const gate: Gate = { entered: 0, aborted: false, open: () => {} };
  const castellan: Castellan = await createCastellan({
    ...options,
    environment: { ...options.environment, CASTELLAN_TOKEN: TOKEN },
    tools: [...streamingTools(gate), ...(options.tools ?? [])],
  });
  const { url, adminUrl } = await castellan.listen({ port: 0, admin });
  const client = (token: string | undefined = TOKEN) => new HttpClient(url, token);
  return { castellan, url, adminUrl, gate, client };
}
