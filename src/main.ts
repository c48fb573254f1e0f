import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ToolRegistry } from './application/ports/tool-registry.js';
import { ToolCatalogue } from './application/tool/tool-catalogue.js';
import { ToolNaming } from './application/tool/tool-naming.js';
import type { Castellan } from './composition/castellan.js';
import { createCastellan } from './composition/create-castellan.js';
import { packageVersion } from './composition/package-version.js';
import { callCommand } from './presentation/cli/call-command.js';
import { connectHelp } from './presentation/cli/connect-help.js';
import { docsCommand, type SpecificationFile } from './presentation/cli/docs-command.js';
import { processOutput } from './presentation/cli/output.js';
import { buildProgram, type CommandActions } from './presentation/cli/program.js';
import { toolsCommand } from './presentation/cli/tools-command.js';
import { specifyTools } from './presentation/docs/tool-specification.js';
import { LEGACY_VERSIONS } from './presentation/mcp/legacy-handshake.js';
import { builtinTools } from './presentation/tools/builtin-tools.js';

const SELF: readonly string[] = [process.argv[1] ?? 'castellan'];

async function serve(): Promise<number> {
  const castellan = await createCastellan();
  let code = 0;
  const interrupted = (signal: NodeJS.Signals) => {
    code = signal === 'SIGINT' ? 130 : 0;
    void castellan.close();
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  await castellan.serveStdio();
  await castellan.close();
  return code;
}

async function withCastellan(action: (castellan: Castellan) => Promise<number>): Promise<number> {
  const castellan = await createCastellan();
  try {
    return await action(castellan);
  } finally {
    await castellan.close();
  }
}

const actions: CommandActions = {
  serve,
  connect: async () => {
    processOutput.out(connectHelp('node', SELF));
    return 0;
  },
  tools: (options) =>
    withCastellan(async ({ container }) => {
      if (!options.tokens) {
        return toolsCommand(container.get(ToolRegistry), container.get(ToolNaming), options, processOutput);
      }
      const { tokenTable } = await import('./presentation/cli/token-cost.js');
      processOutput.out(tokenTable(container.get(ToolCatalogue).definitions));
      return 0;
    }),
  // All that are built in, whatever this workspace has switched off or has no use for.
  docs: (options) =>
    docsCommand(specifyTools(builtinTools, LEGACY_VERSIONS), specificationFile(), options, processOutput),
  call: (tool, json, options) =>
    withCastellan(async (castellan) => {
      const given = json === '-' ? await text(process.stdin) : json;
      const execute = (name: string, args: Readonly<Record<string, unknown>>) =>
        castellan.execute(name, args);
      return callCommand(execute, tool, given, options, processOutput);
    }),
  demo: async () => {
    processOutput.out(connectHelp('node', SELF));
    processOutput.out('\nOne call, as a client would make it: castellan call echo {"message":"hello"}');
    return actions.call('echo', '{"message":"hello"}', {});
  },
};

function specificationFile(): SpecificationFile {
  const name = 'MCP_TOOL_SPECIFICATION.md';
  return {
    name,
    read: () =>
      readFile(name, 'utf8').catch((error: unknown) =>
        isMissing(error) ? undefined : Promise.reject(error),
      ),
    write: (content) => writeFile(name, content),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Ends by itself when nothing is left to do; a client that keeps stdin open must not keep us alive. */
function finish(code: number): void {
  process.exitCode = code;
  process.stdin.destroy();
}

// `castellan tools | head`: a reader that has seen enough is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

buildProgram(packageVersion, actions, finish)
  .parseAsync()
  .catch((error: unknown) => finish(exitCodeOf(error)));

function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    // Commander has said what is wrong; --help and --version are no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  processOutput.err(error instanceof Error ? error.message : String(error));
  return 3;
}
