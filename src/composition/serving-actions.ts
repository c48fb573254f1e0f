import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ToolRegistry } from '../application/ports/tool-registry.js';
import { ToolCatalogue } from '../application/tool/tool-catalogue.js';
import { ToolNaming } from '../application/tool/tool-naming.js';
import { readForeignFile } from '../infrastructure/state/foreign-file.js';
import { callCommand } from '../presentation/cli/call-command.js';
import type { CommandActions, GlobalOptions } from '../presentation/cli/command-actions.js';
import { connectHelp } from '../presentation/cli/connect-help.js';
import type { SpecificationFile } from '../presentation/cli/docs-command.js';
import { processOutput } from '../presentation/cli/output.js';
import { toolsCommand } from '../presentation/cli/tools-command.js';
import { LEGACY_VERSIONS } from '../presentation/mcp/legacy-handshake.js';
import { builtinTools } from '../presentation/tools/builtin-tools.js';
import type { Castellan } from './castellan.js';
import { openHere, serve } from './serve.js';

/** How a client starts this very program. */
export const SELF: readonly string[] = ['node', process.argv[1] ?? 'castellan'];

const MAX_SPECIFICATION_BYTES = 16 * 1024 * 1024;

type ServingActions = Pick<CommandActions, 'serve' | 'connect' | 'tools' | 'docs' | 'call' | 'demo'>;

export const servingActions: ServingActions = {
  serve,
  connect: async () => {
    printConnectHelp();
    return 0;
  },
  tools: (where, options) =>
    withCastellan(where, async ({ container }) => {
      if (!options.tokens) {
        return toolsCommand(container.get(ToolRegistry), container.get(ToolNaming), options, processOutput);
      }
      const { tokenTable } = await import('../presentation/cli/token-cost.js');
      processOutput.out(tokenTable(container.get(ToolCatalogue).definitions));
      return 0;
    }),
  // All that are built in, whatever this workspace has switched off or has no use for.
  docs: async (_where, options) => {
    const { docsCommand } = await import('../presentation/cli/docs-command.js');
    const { specifyTools } = await import('../presentation/docs/tool-specification.js');
    return docsCommand(
      specifyTools(builtinTools, LEGACY_VERSIONS),
      specificationFile(),
      options,
      processOutput,
    );
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

function specificationFile(): SpecificationFile {
  const name = 'MCP_TOOL_SPECIFICATION.md';
  return {
    name,
    read: () =>
      readForeignFile(name, { maxBytes: MAX_SPECIFICATION_BYTES, links: 'anywhere' }).then((file) =>
        file.kind === 'bytes' ? file.bytes.toString('utf8') : undefined,
      ),
    write: (content) => writeFile(name, content),
  };
}
