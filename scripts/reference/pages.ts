import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operatorActions } from '../../src/composition/cli/operator-actions.js';
import { servingActions } from '../../src/composition/cli/serving-actions.js';
import { isJsonObject } from '../../src/domain/json-value.js';
import { PrometheusMetrics } from '../../src/infrastructure/observability/prometheus-metrics.js';
import { buildProgram } from '../../src/presentation/cli/program/program.js';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import { adrPage } from './adr-page.js';
import { apiPage } from './api-page.js';
import { cliPage } from './cli-page.js';
import { environmentPage } from './environment-page.js';
import { errorsPage } from './errors-page.js';
import { limitsPage } from './limits-page.js';
import { metricsPage } from './metrics-page.js';
import { schemaPage } from './schema-page.js';
import { toolPages } from './tool-pages.js';

const root = resolve(import.meta.dirname, '../..');

const POLICY = `Every key of \`permissions.yaml\`. \`NAME\` stands for a name of your own, or of a tool; \`[]\` for a member of a list. Keys that begin with \`x-\` are ignored. [Policy rules](policy-rules.md) explains values that need more than a line, [Policy evaluation](../explanation/policy-evaluation.md) how rules combine.`;
const SETTINGS = `Every key of \`castellan.yaml\`, the settings of a server. All are optional. \`NAME\` stands for a name of your own. Keys that begin with \`x-\` are ignored. An option of the command line wins over an environment variable, which wins over this file.`;

/** Every generated page by its path below the project. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const program = buildProgram('', { ...servingActions, ...operatorActions }, () => undefined);
  return new Map([
    ['docs/reference/cli.md', cliPage(program)],
    [
      'docs/reference/policy.md',
      schemaPage('Policy keys', POLICY, schemaOf('config/permissions.schema.json')),
    ],
    [
      'docs/reference/settings.md',
      schemaPage('Settings', SETTINGS, schemaOf('config/castellan.schema.json')),
    ],
    ['docs/adr/README.md', adrPage(resolve(root, 'docs/adr'))],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/metrics.md', metricsPage(await exposition())],
    ['docs/reference/environment.md', environmentPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['docs/reference/api.md', apiPage()],
    ...toolPages(builtinTools),
  ]);
}

/** Of an instance that shares its state, which has all of them. */
function exposition(): Promise<string> {
  const shared = { state: 'joined', instance: '', skewMs: 0, instances: [] } as const;
  const sources = {
    sessions: () => 0,
    requests: () => 0,
    connections: () => 0,
    refusals: () => new Map<number, number>(),
    workspaces: () => [],
    shared: () => shared,
  };
  return new PrometheusMetrics(sources).text();
}

function schemaOf(path: string): Readonly<Record<string, unknown>> {
  const schema: unknown = JSON.parse(readFileSync(resolve(root, path), 'utf8'));
  if (!isJsonObject(schema)) throw new Error(`${path} is no JSON Schema.`);
  return schema;
}
