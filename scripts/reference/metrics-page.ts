import { code, pageOf, table } from './markdown.js';

/** From the text that Prometheus reads: `# HELP` and `# TYPE` of every metric of ours. */
export function metricsPage(exposition: string): string {
  const types = new Map<string, string>();
  for (const [, name = '', type = ''] of exposition.matchAll(/^# TYPE (castellan_\S+) (\w+)$/gm))
    types.set(name, type);
  const rows = [...exposition.matchAll(/^# HELP (castellan_\S+) (.*)$/gm)].map(([, name = '', help = '']) => [
    code(name),
    types.get(name) ?? '',
    help,
  ]);
  return pageOf('Metrics', 'The metrics at `/metrics` of the admin address, in the format of Prometheus.', [
    table(['metric', 'type', 'meaning'], rows),
    'The metrics of the Node.js process (`process_*`, `nodejs_*`) are there as well. `docs/grafana.json` is a dashboard for them.',
  ]);
}
