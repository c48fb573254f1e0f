import type { CommandParser } from '../../application/ports/command/command-parser.js';
import type { TrustStore } from '../../application/ports/permission/trust-store.js';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import { privateHomeOf } from '../../infrastructure/command/runner/command-folders.js';
import { loadSettings } from '../../infrastructure/config/load-settings.js';
import { DEFAULT_SETTINGS, type Settings } from '../../infrastructure/config/settings.js';
import { FileTrustStore } from '../../infrastructure/policy/file-trust-store.js';
import type { PolicyRequest } from '../../infrastructure/policy/load-policy.js';
import { YamlPolicySource } from '../../infrastructure/policy/yaml-policy-source.js';
import { ShellParser } from '../../infrastructure/shell/shell-parser.js';
import { builtinTools } from '../../presentation/tools/builtin-tools.js';
import type { CastellanOptions } from './castellan-options.js';
import { ConfigurationError, orThrow } from './configuration-error.js';
import { type ConfigurationFile, isTrustedFile, readConfigurationFile } from './configuration-files.js';
import { type ConfigurationPlaces, findPlaces, type Machine } from './configuration-places.js';
import { withEnvironment } from './environment-settings.js';
import { LiveSettings } from './live-settings.js';
import { policyRequest, testBench } from './policy-request.js';

/** Everything that is read once at the start, checked, and then cut up for those who need a part of it. */
export interface Configuration {
  readonly workspace: string;
  /** The workspace as it was named, where that leads through a link. */
  readonly named: string | undefined;
  readonly stateFolder: string;
  readonly settings: Settings;
  /** The same, as far as a change of the file takes effect at once. */
  readonly live: LiveSettings;
  /** The settings as a start would read them now; throws where they are wrong. */
  readonly readSettings: () => Promise<Settings>;
  readonly policy: YamlPolicySource;
  /** Files of the policy that nobody named: what they are. */
  readonly labels: ReadonlyMap<string, string>;
  /** The files that are in force, so that another workspace can be served by the same. */
  readonly files: { readonly policy?: string; readonly config?: string };
  readonly parser: CommandParser;
  readonly trust: TrustStore;
  /** What the operator should know: files that only narrow until they are trusted. */
  readonly notices: readonly string[];
  /** Settings that name what is not there. */
  readonly warnings: readonly FileProblem[];
  /** What is wrong with settings that were found and are ignored, a line each; for the operator alone. */
  readonly ignoredSettings: readonly string[];
}

export async function readConfiguration(
  options: CastellanOptions,
  machine?: Machine,
  /** Of the server whose policy gives this workspace to a caller. */
  callersRoot?: string,
): Promise<Configuration> {
  const places = findPlaces(options, machine);
  const { workspace, named, stateFolder, policyFile } = places;
  const trust = new FileTrustStore(stateFolder);
  const { settings, notices, warnings, ignoredSettings } = await readSettings(places, options, trust);
  const parser = new ShellParser(() => privateHomeOf(stateFolder, workspace));
  const policy = await openPolicy(policyRequest(places, options, trust, callersRoot), parser, options);
  const waiting = policyFile === undefined ? [] : await policyNotices(policyFile, policy, trust);
  const ignored = policy.current().problems.map(formatProblem);
  return {
    workspace,
    named,
    stateFolder,
    settings,
    live: new LiveSettings(settings),
    readSettings: async () => (await readSettings(places, options, trust)).settings,
    policy,
    labels: labelsOf(places),
    files: {
      ...(policyFile && { policy: policyFile.path }),
      ...(places.settingsFile && { config: places.settingsFile.path }),
    },
    parser,
    trust,
    notices: [...notices, ...waiting, ...ignored],
    warnings,
    ignoredSettings,
  };
}

function labelsOf({ userPolicy, systemCeiling }: ConfigurationPlaces): ReadonlyMap<string, string> {
  return new Map([
    [userPolicy.path, 'your own, for every project'],
    ...(systemCeiling ? [[systemCeiling.path, 'the ceiling of this machine'] as const] : []),
  ]);
}

type ReadSettings = Pick<Configuration, 'settings' | 'notices' | 'warnings' | 'ignoredSettings'>;

async function readSettings(
  { settingsFile: file, workspace, environment }: ConfigurationPlaces,
  options: CastellanOptions,
  trust: TrustStore,
): Promise<ReadSettings> {
  const without = (notices: readonly string[], problems: readonly string[]): ReadSettings => ({
    settings: withEnvironment(DEFAULT_SETTINGS, environment),
    notices,
    warnings: [],
    ignoredSettings: problems,
  });
  if (file === undefined) return without([], []);
  const foreign = !file.named && !orThrow(await trust.knows(file.path));
  const bytes = await readConfigurationFile(file, foreign ? workspace : undefined);
  if (!bytes.success) return foreign ? without([`${bytes.error} ${IGNORED}`], [bytes.error]) : orThrow(bytes);
  const trusted = orThrow(await isTrustedFile(file, bytes.value, trust));
  const tools = [...builtinTools, ...(options.tools ?? [])];
  const loaded = await loadSettings({ file: file.path, bytes: bytes.value, workspace, trusted, tools });
  if (!loaded.success && foreign)
    return without([invalidNotice(file, loaded.error)], loaded.error.split('\n'));
  const { settings, warnings } = orThrow(loaded);
  return {
    settings: withEnvironment(settings, environment),
    notices: trusted ? [] : [untrustedSettings(file)],
    warnings,
    ignoredSettings: [],
  };
}

const IGNORED = 'It is not trusted, so it is ignored and the defaults apply.';

/** Where the problems are and not what they are: a stranger's file may be a link to one that callers may not read. */
function invalidNotice({ path }: ConfigurationFile, problems: string): string {
  const [first = ''] = problems.split('\n');
  const place = /^:\d+:\d+/.exec(first.startsWith(path) ? first.slice(path.length) : '')?.[0] ?? ':1:1';
  return `${path}${place}: These settings are not valid (problems: ${problems.split('\n').length}). ${IGNORED} \`castellan doctor\` shows them.`;
}

async function openPolicy(
  request: PolicyRequest,
  parser: CommandParser,
  options: CastellanOptions,
): Promise<YamlPolicySource> {
  const source = await YamlPolicySource.open(request, testBench(parser, options));
  if (!source.success) throw new ConfigurationError(source.error.message);
  return source.value;
}

/** What the operator should know of a policy that was found, or that commands could change. */
async function policyNotices(
  file: ConfigurationFile,
  policy: YamlPolicySource,
  trust: TrustStore,
): Promise<readonly string[]> {
  const { notice } = policy.current();
  if (notice !== undefined) return [notice];
  if (!policy.trusted) return [untrustedNotice(file)];
  if (!file.named || !policy.commandsMayWrite(file.path)) return [];
  const bytes = orThrow(await readConfigurationFile(file));
  if (orThrow(await trust.standing(file.path, bytes)) !== 'changed') return [];
  return [
    `${file.path} changed since it was trusted. It is active here because it was named explicitly; a server that is already running keeps the older version until \`castellan trust ${file.path}\`.`,
  ];
}

function untrustedSettings({ path }: ConfigurationFile): string {
  return `${path} is not trusted yet. Its http, redis, audit and consent sections, and directories outside the workspace, are ignored. Review the file, then run \`castellan trust\`.`;
}

function untrustedNotice({ path }: ConfigurationFile): string {
  return `${path} is not trusted yet. It can only restrict the built-in baseline. Review the file, then run \`castellan trust\`.`;
}
