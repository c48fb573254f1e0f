import { expect } from 'chai';
import { withEnvironment } from '../../../src/composition/configuration/environment-settings.js';
import { DEFAULT_SETTINGS } from '../../../src/infrastructure/config/settings.js';

describe('variables in the place of settings', () => {
  it('win over the file, each by itself', () => {
    const settings = withEnvironment(DEFAULT_SETTINGS, {
      CASTELLAN_LOG_LEVEL: 'warn',
      CASTELLAN_HTTP_HOST: '::1',
      CASTELLAN_HTTP_PORT: '0',
      CASTELLAN_REDIS_URL: 'redis://127.0.0.1:6379',
    });
    expect(settings).to.deep.equal({
      ...DEFAULT_SETTINGS,
      log: { ...DEFAULT_SETTINGS.log, level: 'warn' },
      http: { ...DEFAULT_SETTINGS.http, host: '::1', port: 0 },
      redis: { url: 'redis://127.0.0.1:6379' },
    });
  });

  it('say nothing when they are empty', () => {
    const empty = { CASTELLAN_LOG_LEVEL: '', CASTELLAN_HTTP_PORT: '', CASTELLAN_REDIS_URL: '' };
    expect(withEnvironment(DEFAULT_SETTINGS, empty)).to.deep.equal(DEFAULT_SETTINGS);
  });

  for (const [name, value, wanted] of [
    ['CASTELLAN_LOG_LEVEL', 'loud', /must be one of trace, .*; got loud/],
    ['CASTELLAN_HTTP_PORT', '70000', /a port from 0 to 65535; got 70000/],
    ['CASTELLAN_HTTP_PORT', '1e3', /a port from 0 to 65535; got 1e3/],
    [
      'CASTELLAN_REDIS_URL',
      'http://user:secret@host',
      /^CASTELLAN_REDIS_URL must be an address of one server such as redis:/,
    ],
  ] as const) {
    it(`stop the start when ${name} is wrong, without showing a password`, () => {
      expect(() => withEnvironment(DEFAULT_SETTINGS, { [name]: value }))
        .to.throw(wanted)
        .with.property('message')
        .that.does.not.contain('secret');
    });
  }
});
