import { DecideCall } from '../../application/permission/decide-call.js';
import { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { Result } from '../../domain/result.js';
import { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import {
  type LoadedPolicy,
  loadPolicy,
  type PolicyRefusal,
  type PolicyRequest,
} from '../../infrastructure/policy/load-policy.js';
import { readPolicyFile } from '../../infrastructure/policy/yaml-policy-source.js';
import { ShellParser } from '../../infrastructure/shell/shell-parser.js';
import type { PolicyReport } from '../../presentation/cli/policy-check-command.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { type ConfigurationPlaces, findPlaces } from '../configuration/configuration-places.js';
import { policyRequest, testBench } from '../configuration/policy-request.js';
import { trackedDenials } from '../configuration/tracked-denials.js';

const UNDER_CEILING = 'a ceiling narrows this further; castellan policy explain shows each decision';

/** The policy that would be in force, examined without a server around it. */
export async function checkPolicy(options: CastellanOptions): Promise<PolicyReport> {
  const places = findPlaces(options);
  const parser = new ShellParser();
  const loaded = await load(places, options, parser);
  if (!loaded.success) {
    const { problems } = loaded.error;
    return { origin: [], problems, warnings: [], tests: 0, trusted: false, power: [] };
  }
  const { snapshot, layer, document, trusted, files } = loaded.value;
  await parser.load();
  // The machine's ceiling always has a path; it is read if there is a file.
  const isUnderCeiling = [places.ceiling, places.systemCeiling?.path].some(
    (path) => path !== undefined && files.includes(path),
  );
  const { describePower } = await import('../../infrastructure/policy/check/power/describe-power.js');
  return {
    origin: snapshot.origin,
    problems: [],
    warnings: snapshot.warnings,
    tests: document.tests?.length ?? 0,
    trusted,
    power: [
      ...describePower({
        // What nobody trusts is described as it would be.
        policy: trusted ? snapshot.policy : new PermissionPolicy(layer),
        layer,
        decideCall: new DecideCall({ root: places.workspace }, parser),
        requestsOf: testBench(parser, options).requestsOf,
      }),
      ...(isUnderCeiling ? [UNDER_CEILING] : []),
    ],
    notes: trackedDenials(new PermissionPolicy(layer), places.workspace),
  };
}

/** Every file of the workspace whose content decides: the settings, the policy, and what it extends. */
export async function filesToTrust(options: CastellanOptions): Promise<readonly string[]> {
  const places = findPlaces(options);
  const settings = places.settingsFile === undefined ? [] : [places.settingsFile.path];
  if (places.policyFile === undefined) return settings;
  // A ceiling is named by whoever runs the server; it needs no trust.
  // To accept a policy is to accept what it extends, wherever that lies.
  const own = { ...places, ceiling: undefined, systemCeiling: undefined };
  const loaded = await load(own, options, new ShellParser(), { trusted: true });
  if (!loaded.success) throw new ConfigurationError(loaded.error.message);
  // The user's own policy needs no trust either.
  return [...settings, ...loaded.value.files.filter((file) => file !== places.userPolicy.path)];
}

async function load(
  places: ConfigurationPlaces,
  options: CastellanOptions,
  parser: ShellParser,
  assumed: Partial<Pick<PolicyRequest, 'trusted'>> = {},
): Promise<Result<LoadedPolicy, PolicyRefusal>> {
  const trust = new FileTrustStore(places.stateFolder);
  const request = { ...policyRequest(places, options, trust), ...assumed };
  return loadPolicy(request, testBench(parser, options), readPolicyFile);
}
