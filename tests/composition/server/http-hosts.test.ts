import { createServer, type RequestListener, type Server } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { messagesOf } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { initialize } from '../../support/wire.js';

const OWN = isolatedOptions();

describe('Castellan in the server of a host', () => {
  const endings: (() => Promise<unknown> | unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  const open = async (): Promise<Castellan> => {
    const { castellan } = await listeningCastellan(OWN);
    endings.push(() => castellan.close());
    return castellan;
  };

  const listen = async (listener: RequestListener, path = '/mcp'): Promise<URL> => {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endings.unshift(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`);
  };

  /** What every host must give the public client: lists, calls, progress, a question, an end. */
  const converse = async (url: URL): Promise<void> => {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { yes: true } }));
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    // The SDK's own types disagree about optional members here.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include.members(['echo', 'asking']);
    const echoed = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    expect(echoed).to.have.nested.property('content[0].text', 'Echo: hi');
    const steps: unknown[] = [];
    await client.callTool({ name: 'progressing' }, undefined, { onprogress: (step) => steps.push(step) });
    expect(steps).to.have.length(1);
    const asked = await client.callTool({ name: 'asking' });
    expect(asked).to.have.nested.property('content[0].text', 'accept');
    await transport.terminateSession();
    await client.close();
  };

  it('serves the public client in node:http', async () => {
    const castellan = await open();
    await converse(await listen(castellan.httpHandler));
  });

  it('serves the public client in express, also behind its JSON parser', async () => {
    const { default: express } = await import('express');
    const castellan = await open();
    const app = express();
    app.use(express.json());
    app.all('/tools/mcp', castellan.httpHandler);
    await converse(await listen(app, '/tools/mcp'));
  });

  it('serves the public client in fastify, behind its JSON parser', async () => {
    const { fastify } = await import('fastify');
    const castellan = await open();
    const app = fastify();
    app.all('/mcp', (request, reply) => {
      reply.hijack();
      castellan.httpHandler(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    endings.unshift(() => app.close());
    await converse(new URL('/mcp', app.listeningOrigin));
  });

  it('serves the public client in hono', async () => {
    const { Hono } = await import('hono');
    const { getRequestListener } = await import('@hono/node-server');
    const castellan = await open();
    const app = new Hono();
    app.all('/mcp', (context) => castellan.fetch(context.req.raw));
    await converse(await listen(getRequestListener(app.fetch)));
  });

  it('answers Web requests without any server', async () => {
    const castellan = await open();
    const request = (token: string) =>
      new Request('http://localhost/mcp', {
        method: 'POST',
        body: JSON.stringify(initialize()),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
        },
      });
    const answer = await castellan.fetch(request(TOKEN));
    expect(answer.status).to.equal(200);
    const text = await answer.text();
    expect(messagesOf({ headers: {}, text })).to.have.nested.property(
      '[0].result.serverInfo.name',
      'castellan',
    );
    expect((await castellan.fetch(request('wrong'))).status).to.equal(401);
  });
});
