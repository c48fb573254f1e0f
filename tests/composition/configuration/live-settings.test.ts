import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LiveSettings } from '../../../src/composition/configuration/live-settings.js';
import { DEFAULT_SETTINGS } from '../../../src/infrastructure/config/settings.js';

function recorder() {
  const lines: [string, string, unknown][] = [];
  const log = (level: string) => (message: string, fields?: unknown) =>
    void lines.push([level, message, fields]);
  const logger = {
    enabled: () => true,
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  };
  return { lines, logger };
}

describe('settings that change while the server runs', () => {
  it('are taken over where that is safe; the others are named and wait', async () => {
    const live = new LiveSettings(DEFAULT_SETTINGS);
    const { lines, logger } = recorder();
    const next = {
      ...DEFAULT_SETTINGS,
      log: { ...DEFAULT_SETTINGS.log, level: 'debug' },
      files: { readBytes: 5000 },
      answers: 'envelope',
      project: { name: 'x' },
    } as const;
    await live.reload('c.yaml', async () => next, logger);
    expect(live.current).to.deep.equal({ ...DEFAULT_SETTINGS, log: next.log, files: next.files });
    expect(lines).to.deep.equal([
      ['info', 'Settings were reloaded', { file: 'c.yaml', keys: ['log', 'files'].sort(order(next)) }],
      [
        'warn',
        'Some settings changed that take effect at the next start: restart the server',
        { file: 'c.yaml', keys: ['answers', 'project'] },
      ],
    ]);
  });

  it('stay as they were when the file is wrong, and the problems are told', async () => {
    const live = new LiveSettings(DEFAULT_SETTINGS);
    const { lines, logger } = recorder();
    await live.reload('c.yaml', () => Promise.reject(new Error('c.yaml:1:1: no')), logger);
    expect(live.current).to.equal(DEFAULT_SETTINGS);
    expect(lines[0]?.[0]).to.equal('error');
    expect(lines[0]?.[2]).to.deep.equal({ file: 'c.yaml', problems: 'c.yaml:1:1: no' });
  });
});

function order(settings: object) {
  const keys = Object.keys(settings);
  return (one: string, other: string) => keys.indexOf(one) - keys.indexOf(other);
}
