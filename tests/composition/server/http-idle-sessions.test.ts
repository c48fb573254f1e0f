import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { HttpOptions } from '../../../src/presentation/mcp/http/http-options.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';

async function idleTimeUnder(settings: string): Promise<number> {
  const own = isolatedOptions();
  const config = join(own.workspace, 'settings.yaml');
  writeFileSync(config, settings);
  const { castellan } = await listeningCastellan({ ...own, config });
  const { sessionIdleMs } = castellan.container.get(HttpOptions);
  await castellan.close();
  return sessionIdleMs;
}

describe('HTTP sessions that nobody uses', () => {
  it('end after half an hour, or after the time that the settings give', async () => {
    expect(await idleTimeUnder('log: {}\n')).to.equal(30 * 60_000);
    expect(await idleTimeUnder('http: { session_idle: 20s }\n')).to.equal(20_000);
  });
});
