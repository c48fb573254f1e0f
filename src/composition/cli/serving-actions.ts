import { text } from 'node:stream/consumers';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { callCommand } from '../../presentation/cli/call-command.js';
import type { CommandActions, GlobalOptions } from '../../presentation/cli/command-actions.js';
import { connectHelp } from '../../presentation/cli/connect-help.js';
import { processOutput } from '../../presentation/cli/output.js';
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
      processOutput.out(tokenTable(ofCategory(container.get(ToolCatalogue).definitions, options.category)));
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
