import { resolve } from 'node:path';
import type { CommandParser } from '../../application/ports/command/command-parser.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { KnownTool } from '../../domain/permission/policy/tool-capability.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import { workspaceNames } from '../../infrastructure/command/git/named-files.js';
import type { TestBench } from '../../infrastructure/policy/check/policy-tests.js';
import type { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import type { PolicyRequest, TrustCheck } from '../../infrastructure/policy/load-policy.js';
import { serverPaths } from '../../infrastructure/policy/server-paths.js';
import { configurationHome } from '../../infrastructure/state/configuration-home.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from './castellan-options.js';
import { ConfigurationError, orThrow } from './configuration-error.js';
import type { ConfigurationPlaces } from './configuration-places.js';

/** Which policy to load, with the server's own files out of everybody's reach. */
export function policyRequest(
  places: ConfigurationPlaces,
  options: CastellanOptions,
  trust: FileTrustStore,
  callersRoot?: string,
): PolicyRequest {
  const { policyFile, settingsFile, ceiling, systemCeiling, userPolicy } = places;
  const { workspace, stateFolder, home, environment } = places;
  const named = [policyFile?.path, settingsFile?.path, ceiling, systemCeiling?.path].flatMap(
    (path) => path ?? [],
  );
  const folders = [stateFolder, resolve(configurationHome(environment, home), 'castellan')];
  refusePatterns([workspace, home, ...named, ...folders]);
  const standing: TrustCheck = async (file, content) => orThrow(await trust.standing(file, content));
  return {
    ...(policyFile && { file: policyFile.path }),
    trusted: policyFile?.named !== false || standing,
    known: async (file) => orThrow(await trust.knows(file)),
    // A found file that changed is a stranger's again and only narrows, so it may be taken up at once.
    ...(policyFile?.named !== false && { approves: standing }),
    ...(ceiling !== undefined && { ceiling }),
    ...(systemCeiling && { systemCeiling }),
    userPolicy,
    alsoWatch: [trust.path, userPolicy.path, ...(systemCeiling ? [systemCeiling.path] : [])],
    surroundings: {
      workspace,
      home,
      ...serverPaths({ workspace, named, folders }),
      alsoProtected: workspaceNames(workspace, home),
      ...(callersRoot !== undefined && { callersRoot }),
      tools: knownTools(options),
    },
  };
}

/** Every rule about such a path would be read as a pattern: what is to be closed stayed open. */
function refusePatterns(paths: readonly string[]): void {
  const path = paths.find((name) => /[*?[\]{}\\]/.test(name));
  if (path === undefined) return;
  throw new ConfigurationError(
    `${path} has one of the characters * ? [ ] { } \\ in it, which rules about paths read as a pattern. Rename the folder or file; a link to it is not enough.`,
  );
}

/** Ours, and the embedder's with those that modules declared. */
export function knownTools({ tools = [] }: CastellanOptions): readonly KnownTool[] {
  const ours = new Set(builtinTools.map(({ name }) => name));
  const known = ({ name, capabilities = [], profile }: ToolDefinition, builtin: boolean) => ({
    name,
    capabilities,
    builtin,
    ...(builtin && profile && { profile }),
  });
  return [
    ...builtinTools.map((tool) => known(tool, true)),
    ...tools.filter(({ name }) => !ours.has(name)).map((tool) => known(tool, false)),
  ];
}

/** What a policy's own tests run against. */
export function testBench(parser: CommandParser, { tools = [] }: CastellanOptions): TestBench {
  // The host's own wins over a built-in one of the same name.
  const known = new Map([...builtinTools, ...tools].map((tool) => [normaliseToolName(tool.name), tool]));
  const find = (tool: string): ToolDefinition | undefined => known.get(normaliseToolName(tool));
  return {
    parser,
    requestsOf: (tool, args) => find(tool)?.permissions?.(args, {}) ?? [],
    argumentsOf: (tool) => {
      const found = find(tool);
      return found && Object.keys(found.input.properties ?? {});
    },
  };
}
