import { inject, injectable } from 'inversify';
import type { ResourceProvider } from '../../application/ports/resource/resource-provider.js';
import { GetToolStatsHandler } from '../../application/tool/get-tool-stats.js';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../domain/resource/resource.js';
import { Result } from '../../domain/result.js';

const URI = 'castellan://stats';
const JSON_TYPE = 'application/json';

/** Counts and times of all tools, for dashboards and the curious. */
@injectable()
export class StatsResource implements ResourceProvider {
  readonly tool = 'get_tool_stats';

  constructor(@inject(GetToolStatsHandler) private readonly stats: GetToolStatsHandler) {}

  async list(): Promise<readonly ResourceEntry[]> {
    return [{ uri: URI, name: 'stats', title: 'Calls, failures and times by tool', mimeType: JSON_TYPE }];
  }

  templates(): readonly ResourceTemplate[] {
    return [];
  }

  async read(uri: string): Promise<Result<ResourceContents> | undefined> {
    if (uri !== URI) return undefined;
    const stats = this.stats.handle({});
    if (!stats.success) return Result.failure(stats.error.message, stats.errorType);
    return Result.ok({ uri, mimeType: JSON_TYPE, text: JSON.stringify(stats.value, undefined, 2) });
  }

  async complete(): Promise<readonly string[]> {
    return [];
  }
}
