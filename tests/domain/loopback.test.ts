import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isLoopback } from '../../src/domain/loopback.js';

describe('Loopback addresses', () => {
  for (const host of [
    'localhost',
    'LocalHost',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '::1',
    '[::1]',
  ]) {
    it(`${host} is this machine`, () => expect(isLoopback(host)).to.equal(true));
  }

  for (const host of [
    '',
    '0.0.0.0',
    '128.0.0.1',
    '127.0.0.256',
    '127.0.0.1.example.com',
    '127.0.0',
    'localhost.example.com',
    'x127.0.0.1',
    '127.0.0.1\n',
    '::',
    '[::1',
  ]) {
    it(`${JSON.stringify(host)} is not`, () => expect(isLoopback(host)).to.equal(false));
  }
});
