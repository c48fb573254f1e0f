import { text } from 'node:stream/consumers';
import type { Container } from 'inversify';
import { ExplainPermissionHandler } from '../../application/permission/explain-permission.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { Toolsets } from '../../application/tool/toolsets.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { Session } from '../../domain/session/session.js';
import { LocalApprovalDesk } from '../../infrastructure/approval/local-approval-desk.js';
import { type CalledServer, callCommand } from '../../presentation/cli/call-command.js';
import { connectHelp } from '../../presentation/cli/connect-help.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { CommandActions, GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import type { PricedTool } from '../../presentation/cli/token-cost.js';
import { categoryProblem, ofCategory, toolsCommand } from '../../presentation/cli/tools-command.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import { findPlaces } from '../configuration/configuration-places.js';
import type { Castellan } from '../server/castellan.js';
import { openHere, serve } from '../server/serve.js';
import { SELF } from './self.js';

const INTERRUPTED = 130;

type ServingActions = Pick<
  CommandActions,
  | 'serve'
  | 'tokenRotate'
  | 'keyAdd'
  | 'connect'
  | 'tools'
  | 'docs'
  | 'call'
  | 'approve'
  | 'demo'
  | 'completion'
  | 'toolNames'
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
  keyAdd: async (where, name, options) => {
    const { addKey } = await import('./key-actions.js');
    return addKey(where, name, options);
  },
  connect: async () => {
    printConnectHelp();
    return 0;
  },
  tools: (where, options) =>
    withCastellan(where, async ({ container }) => {
      const registry = container.get(ToolRegistry);
      const problem = categoryProblem(registry, options.category);
      if (problem !== undefined) {
        processOutput.err(problem);
        return 2;
      }
      if (!options.tokens) return toolsCommand(registry, container.get(ToolNaming), options, processOutput);
      const { tokensCommand } = await import('../../presentation/cli/token-cost.js');
      const priced = pricedTools(container, options.category);
      tokensCommand(priced, container.get(ToolNaming).prefix, options, processOutput);
      return 0;
    }),
  docs: async (_where, options) => {
    const { writeDocs } = await import('./write-docs.js');
    return writeDocs(options);
  },
  call: (where, tool, json, options) =>
    withCastellan(where, async (castellan, signal) => {
      if (process.stdin.isTTY) {
        const { askHere } = await import('./approve-actions.js');
        castellan.container.get(LocalApprovalDesk).here = askHere(findPlaces(where).stateFolder);
      }
      const given = await givenJson(json);
      return callCommand(calledServer(castellan, signal), tool, given, options, processOutput);
    }),
  approve: async (id, options) => {
    const { approve } = await import('./approve-actions.js');
    return approve(id, options);
  },
  demo: (where) =>
    withCastellan(where, async (castellan, signal) => {
      const { demoCommand } = await import('../../presentation/cli/demo-command.js');
      const explain = castellan.container.get(ExplainPermissionHandler);
      const { workspace } = findPlaces(where);
      const server = calledServer(castellan, signal);
      const code = await demoCommand(server, (query) => explain.handle(query), workspace, processOutput);
      processOutput.out('');
      printConnectHelp();
      return code;
    }),
  completion: async (shell) => {
    const { completionScript } = await import('../../presentation/cli/program/completion-scripts.js');
    process.stdout.write(completionScript(shell) ?? '');
    return 0;
  },
  toolNames: async () => builtinTools.map(({ name }) => name),
};

/** The JSON on the line, or what comes in where the line says `-`. */
export async function givenJson(json: string): Promise<string> {
  return json === '-' ? text(process.stdin) : json;
}

/** Ctrl-C ends the call under way, and the process when that is over; pressed again, at once. */
export async function withCastellan(
  where: GlobalOptions,
  action: (castellan: Castellan, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const castellan = await openHere(where);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    const code = await action(castellan, interrupted.signal);
    return interrupted.signal.aborted ? INTERRUPTED : code;
  } finally {
    await castellan.close();
    process.removeListener('SIGINT', interrupt);
  }
}

function calledServer(castellan: Castellan, signal: AbortSignal): CalledServer {
  const registry = castellan.container.get(ToolRegistry);
  return {
    execute: (name, args) => castellan.execute(name, args, { signal }),
    showOf: (name) => registry.get(name)?.show,
    runsCommand: (name) => registry.get(name)?.tool.name === 'execute_command',
    toolNames: () => toolNamesOf(castellan.container),
  };
}

/** Those that can be called here. */
export function toolNamesOf(container: Container): readonly string[] {
  return container
    .get(ToolRegistry)
    .listEnabled()
    .map(({ tool }) => tool.name);
}

function printConnectHelp(): void {
  const [command, ...args] = SELF;
  processOutput.out(connectHelp(command, args));
}

/** As a client on stdio would be shown them. */
function pricedTools(container: Container, category: string | undefined): readonly PricedTool[] {
  const { policy } = container.get(PolicySource).current();
  const session = Session.create('tokens', LOCAL_STDIO);
  const isShown = container.get(Toolsets).shownTo(session);
  return ofCategory(container.get(ToolCatalogue).definitions, category).flatMap((definition) => {
    const tool = container.get(ToolRegistry).get(definition.name)?.tool;
    if (tool === undefined || !tool.enabled || !policy.couldAllow(session.caller, tool.name)) return [];
    return [{ tool, definition, listed: isShown(tool), terms: definition.underPolicy?.(policy) }];
  });
}
