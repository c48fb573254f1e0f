import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Cancellation, type CancelReason } from '../../../src/application/call/cancellation.js';

describe('Cancellation', () => {
  const names: readonly (readonly [CancelReason, string])[] = [
    ['caller', 'AbortError'],
    ['timeout', 'TimeoutError'],
    ['closing', 'AbortError'],
  ];
  for (const [reason, name] of names) {
    it(`aborts its signal with a ${name} for the reason "${reason}"`, () => {
      const cancellation = new Cancellation();
      const { signal } = cancellation;
      expect(signal.aborted).to.equal(false);
      cancellation.cancel(reason);
      expect(signal.aborted).to.equal(true);
      expect(signal.reason).to.have.property('name', name);
      expect(cancellation.reason).to.equal(reason);
    });
  }

  it('gives an aborted signal to whoever asks late', () => {
    const cancellation = new Cancellation();
    cancellation.cancel('caller');
    expect(cancellation.signal.aborted).to.equal(true);
  });

  it('keeps its first reason and calls its listener once', () => {
    const cancellation = new Cancellation();
    const heard: CancelReason[] = [];
    cancellation.onCancel((reason) => heard.push(reason));
    cancellation.cancel('timeout');
    cancellation.cancel('caller');
    expect(cancellation.reason).to.equal('timeout');
    expect(heard).to.deep.equal(['timeout']);
  });

  it('calls nobody whose listener was taken away', () => {
    const cancellation = new Cancellation();
    cancellation.onCancel(() => expect.fail('called'));
    cancellation.onCancel(undefined);
    cancellation.cancel('caller');
  });

  it('follows a signal, aborted before or after', () => {
    const controller = new AbortController();
    const cancellation = Cancellation.following(controller.signal);
    expect(cancellation.reason).to.equal(undefined);
    controller.abort();
    expect(cancellation.reason).to.equal('caller');
    expect(Cancellation.following(AbortSignal.abort()).reason).to.equal('caller');
  });
});
