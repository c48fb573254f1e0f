import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  answerInitialize,
  SERVER_CAPABILITIES,
  SESSION_VERSIONS,
} from '../../../../src/presentation/mcp/session-2025/session-2025-handshake.js';
import { mustFail, mustValue } from '../../../support/sample-tool.js';
import { OPTIONS } from '../../../support/wire.js';

function paramsOf(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
}

/** What the SDK's own server says to the same initialize. */
async function sdkAnswer(protocolVersion: string): Promise<unknown> {
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const server = new Server(OPTIONS.server, {
    capabilities: SERVER_CAPABILITIES,
    instructions: OPTIONS.instructions,
  });
  await server.connect(transport);
  const answer = new Promise<JSONRPCMessage>((resolve) => {
    client.onmessage = resolve;
  });
  await client.start();
  await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: paramsOf(protocolVersion) });
  const message = await answer;
  await server.close();
  return 'result' in message ? message.result : message;
}

describe('answerInitialize', () => {
  it('knows exactly the versions of the SDK, newest first', () => {
    expect([...SESSION_VERSIONS]).to.deep.equal(SUPPORTED_PROTOCOL_VERSIONS);
  });

  for (const version of [...SESSION_VERSIONS, '2099-01-01', '']) {
    it(`answers ${version || 'an empty version'} word for word as the SDK’s server does`, async () => {
      const { answer } = mustValue(answerInitialize(paramsOf(version), OPTIONS));
      expect(JSON.parse(JSON.stringify(answer))).to.deep.equal(await sdkAnswer(version));
    });
  }

  it('S3-02: advertises tools with listChanged', () => {
    const { answer } = mustValue(answerInitialize(paramsOf('2025-11-25'), OPTIONS));
    expect(answer.capabilities).to.have.nested.property('tools.listChanged', true);
    expect(answer).to.include({ protocolVersion: '2025-11-25', instructions: 'Be kind.' });
  });

  it('gives the newest version it knows to a client that asks for another', () => {
    expect(mustValue(answerInitialize(paramsOf('2099-01-01'), OPTIONS)).version).to.equal('2025-11-25');
  });

  it('says everything that is wrong with the params', () => {
    const { error } = mustFail(answerInitialize(undefined, OPTIONS));
    expect(error).to.contain('protocolVersion').and.to.contain('capabilities').and.to.contain('clientInfo');
    expect(
      mustFail(answerInitialize({ ...paramsOf('x'), clientInfo: { name: 'x' } }, OPTIONS)).error,
    ).to.equal('Invalid params for initialize: clientInfo must be an object with name and version.');
  });
});
