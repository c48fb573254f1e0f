import { readFile } from 'node:fs/promises';
import { DecideCall } from '../../src/application/permission/decide-call.js';
import { knownTools, testBench } from '../../src/composition/configuration/policy-request.js';
import type { Decision } from '../../src/domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../src/domain/permission/policy/permission-policy.js';
import type { Result } from '../../src/domain/result.js';
import { type Caller, LOCAL_STDIO } from '../../src/domain/session/caller.js';
import { describePower } from '../../src/infrastructure/policy/check/power/describe-power.js';
import {
  type LoadedPolicy,
  loadPolicy,
  type PolicyRefusal,
  type PolicyRequest,
} from '../../src/infrastructure/policy/load-policy.js';
import { readPolicyFile } from '../../src/infrastructure/policy/yaml-policy-source.js';
import { loadShellParser } from '../../src/infrastructure/shell/shell-parser.js';

export const WORKSPACE = '/workspace';
const parser = await loadShellParser();

export const bench = testBench(parser, {});

export const surroundings = {
  workspace: WORKSPACE,
  home: '/home/user',
  never: ['/workspace/permissions.yaml', '/state'],
  neverWritten: ['/workspace/.castellan'],
  tools: knownTools({}),
};

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads policy.yaml out of files that exist only here. */
export function loadFiles(
  files: Files,
  request: Partial<PolicyRequest> = {},
): Promise<Result<LoadedPolicy, PolicyRefusal>> {
  return loadPolicy(
    { file: '/policy.yaml', trusted: true, surroundings, ...request },
    bench,
    async (path) => {
      const content = files[path];
      if (content === undefined) return { problem: 'The file cannot be read (ENOENT).' };
      return { bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content };
    },
  );
}

export async function load(yaml: string, request: Partial<PolicyRequest> = {}): Promise<LoadedPolicy> {
  const loaded = await loadFiles({ '/policy.yaml': yaml }, request);
  if (!loaded.success) throw new Error(loaded.error.message);
  return loaded.value;
}

export async function policyOf(
  yaml: string,
  request: Partial<PolicyRequest> = {},
): Promise<PermissionPolicy> {
  return (await load(yaml, request)).snapshot.policy;
}

/** The problems of a file that must not load. */
export async function problemsOf(yaml: string | Uint8Array, others: Files = {}): Promise<readonly string[]> {
  const loaded = await loadFiles({ ...others, '/policy.yaml': yaml });
  return loaded.success ? [] : loaded.error.message.split('\n');
}

export async function loadFromDisk(file: string): Promise<Result<LoadedPolicy, PolicyRefusal>> {
  return loadPolicy({ file, trusted: true, surroundings }, bench, readPolicyFile);
}

export const decideCall = new DecideCall({ root: WORKSPACE }, parser);

export interface Asked {
  readonly caller?: Caller;
  readonly roles?: readonly string[];
}

export function callOf(tool: string, args: Readonly<Record<string, unknown>>, asked: Asked = {}) {
  return { caller: LOCAL_STDIO, ...asked, tool, arguments: args, requests: bench.requestsOf(tool, args) };
}

export function decide(
  policy: PermissionPolicy,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  asked: Asked = {},
): Decision {
  return decideCall.decide(policy, callOf(tool, args, asked));
}

/** The statement of power, as `policy check` prints it. */
export function powerOf({ snapshot: { policy }, layer }: LoadedPolicy): readonly string[] {
  return describePower({ policy, layer, decideCall, requestsOf: bench.requestsOf });
}

/** `allow`, `deny NO_ALLOW`, `ask`: one word for tables. */
export function verdict(decision: Decision): string {
  switch (decision.effect) {
    case 'allow':
      return 'allow';
    case 'consent':
      return decision.consent.mode;
    case 'deny':
      return `deny ${decision.reason}`;
  }
}

/** The seed's own policy, as the tool system specification prints it. */
export const SEED_POLICY = await readFile(new URL('./seed-permissions.yaml', import.meta.url), 'utf8');
