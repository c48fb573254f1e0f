import { text } from 'node:stream/consumers';
import type { Container } from 'inversify';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { Toolsets } from '../../application/tool/toolsets.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { Session } from '../../domain/session/session.js';
import { callCommand } from '../../presentation/cli/call-command.js';
import type { CommandActions, GlobalOptions } from '../../presentation/cli/command-actions.js';
import { connectHelp } from '../../presentation/cli/connect-help.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { PricedTool } from '../../presentation/cli/token-cost.js';
import { ofCategory, toolsCommand } from '../../presentation/cli/tools-command.js';
import type { Castellan } from '../server/castellan.js';
import { openHere, serve } from '../server/serve.js';

/** How a client starts this very program. */
export const SELF: readonly string[] = ['node', process.argv[1] ?? 'castellan'];

type ServingActions = Pick<
  CommandActions,
  'serve' | 'tokenRotate' | 'connect' | 'tools' | 'docs' | 'call' | 'demo'
>;

export const servingActions: ServingActions = {
  serve: async (where, options = {}) => {
    if (!options.http) return serve(where);
    const { serveHttp } = await import('../server/serve-http.js');
    return serveHttp(where, options);
  },
  tokenRotate: async () => {
    const { rotateToken } = await import('../server/serve-http.js');
    return rotateToken();
  },
  connect: async () => {
    printConnectHelp();
    return 0;
  },
  tools: (where, options) =>
    withCastellan(where, async ({ container }) => {
      if (!options.tokens) {
        return toolsCommand(container.get(ToolRegistry), container.get(ToolNaming), options, processOutput);
      }
      const { tokenTable } = await import('../../presentation/cli/token-cost.js');
      processOutput.out(
        tokenTable(pricedTools(container, options.category), container.get(ToolNaming).prefix),
      );
      return 0;
    }),
  docs: async (_where, options) => {
    const { writeDocs } = await import('./write-docs.js');
    return writeDocs(options);
  },
  call: (where, tool, json, options) =>
    withCastellan(where, async (castellan) => {
      const execute = (name: string, args: Readonly<Record<string, unknown>>) =>
        castellan.execute(name, args);
      return callCommand(execute, tool, await givenJson(json), options, processOutput);
    }),
  demo: async (where) => {
    printConnectHelp();
    processOutput.out('\nOne call, as a client would make it: castellan call echo {"message":"hello"}');
    return servingActions.call(where, 'echo', '{"message":"hello"}', {});
  },
};

/** The JSON on the line, or what comes in where the line says `-`. */
export async function givenJson(json: string): Promise<string> {
  return json === '-' ? text(process.stdin) : json;
}

export async function withCastellan(
  where: GlobalOptions,
  action: (castellan: Castellan) => Promise<number>,
): Promise<number> {
  const castellan = await openHere(where);
  try {
    return await action(castellan);
  } finally {
    await castellan.close();
  }
}

function printConnectHelp(): void {
  const [command = 'castellan', ...args] = SELF;
  processOutput.out(connectHelp(command, args));
}

/** As a client on stdio would be shown them. */
function pricedTools(container: Container, category: string | undefined): readonly PricedTool[] {
  const { policy } = container.get(PolicySource).current();
  const sets = container.get(Toolsets);
  const session = Session.create('tokens', LOCAL_STDIO);
  return ofCategory(container.get(ToolCatalogue).definitions, category).flatMap((definition) => {
    const tool = container.get(ToolRegistry).get(definition.name)?.tool;
    if (tool === undefined || !tool.enabled || !policy.couldAllow(session.caller, tool.name)) return [];
    return [{ tool, definition, listed: sets.shows(session, tool) }];
  });
}
