import { join } from 'node:path';
import type { PolicySnapshot } from '../../application/ports/permission/policy-source.js';
import { Result } from '../../domain/result.js';
import { privateHomeOf } from '../../infrastructure/command/runner/command-folders.js';
import { MAX_POLICY_BYTES } from '../../infrastructure/config/yaml-tree.js';
import type { ReadPolicyFile } from '../../infrastructure/policy/compose-policy.js';
import { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import { loadPolicy, type PolicyRefusal } from '../../infrastructure/policy/load-policy.js';
import { readPolicyFile } from '../../infrastructure/policy/yaml-policy-source.js';
import { ShellParser } from '../../infrastructure/shell/shell-parser.js';
import type { CastellanOptions } from './castellan-options.js';
import { findPlaces } from './configuration-places.js';
import { policyRequest, testBench } from './policy-request.js';

/** What problems name in place of a file. */
const NAME = 'policy';

/**
 * A policy that the host itself wrote, as YAML or as an object with the same keys: checked, linted and proved by its
 * own tests as a file is, for the workspace and the tools of `options`. The user's own policy and ceilings count as
 * ever, and files that it extends are found from the workspace. It is in force once a `PolicySource` returns it.
 */
export async function compilePolicy(
  policy: string | object,
  options: CastellanOptions = {},
): Promise<Result<PolicySnapshot, PolicyRefusal>> {
  const places = findPlaces(options);
  const { workspace, stateFolder } = places;
  const file = join(workspace, NAME);
  const bytes = Buffer.from(typeof policy === 'string' ? policy : JSON.stringify(policy));
  if (bytes.length > MAX_POLICY_BYTES) return refused(file, TOO_LARGE);
  const read: ReadPolicyFile = async (path, limits) =>
    path === file ? { bytes } : readPolicyFile(path, limits);
  const request = policyRequest(places, options, new FileTrustStore(stateFolder));
  const bench = testBench(new ShellParser(() => privateHomeOf(stateFolder, workspace)), options);
  const loaded = await loadPolicy({ ...request, file, trusted: true }, bench, read);
  if (!loaded.success) return loaded;
  const { layer, snapshot } = loaded.value;
  return layer.principals?.some(({ workspace: own }) => own !== undefined)
    ? refused(file, OTHER_WORKSPACES)
    : Result.ok(snapshot);
}

const TOO_LARGE = `The policy is larger than ${MAX_POLICY_BYTES / 1024} KiB. Split it with extends.`;
const OTHER_WORKSPACES =
  'The paths of a compiled policy are those of one workspace. For principals with a workspace of their own, write a file and name it in the option "policy".';

function refused(file: string, message: string): Result<never, PolicyRefusal> {
  const problem = { file, line: 1, column: 1, message };
  return Result.failure({ message, problems: [problem] }, 'InvalidPolicy');
}
