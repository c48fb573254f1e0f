import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { PermanentRefusal } from '../../../../src/infrastructure/observability/stream/audit-stream.js';
import { OtlpReceiver } from '../../../../src/infrastructure/observability/stream/otlp-receiver.js';

describe('OtlpReceiver', () => {
  let server: Server;
  let status: number;
  let body: string;
  let requests: {
    readonly path: string | undefined;
    readonly type: string | undefined;
    readonly text: string;
  }[];

  beforeEach(async () => {
    status = 200;
    body = '{}';
    requests = [];
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { url: path, headers } = request;
        requests.push({ path, type: headers['content-type'], text: Buffer.concat(parts).toString() });
        response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = () => {
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('no port');
    return new URL(`http://127.0.0.1:${place.port}/v1/logs`);
  };
  const failure = (): Promise<unknown> =>
    new OtlpReceiver(address()).deliver(['{"n":1}', '{"n":2}', '{"n":3}']).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('posts log records whose body is the line, with its time', async () => {
    const record = '{"n":2,"kind":"outcome","time":"2025-01-02T03:04:05.678Z","tool":"echo"}';
    await new OtlpReceiver(address()).deliver([record]);
    const [{ path, type, text } = { path: '', type: '', text: '{}' }] = requests;
    expect({ path, type }).to.deep.equal({ path: '/v1/logs', type: 'application/json' });
    const sent = JSON.parse(text);
    expect(sent.resourceLogs[0].resource.attributes).to.deep.equal([
      { key: 'service.name', value: { stringValue: 'castellan' } },
    ]);
    expect(sent.resourceLogs[0].scopeLogs[0].logRecords).to.deep.equal([
      {
        timeUnixNano: '1735787045678000000',
        severityNumber: 9,
        severityText: 'INFO',
        eventName: 'castellan.audit',
        body: { stringValue: record },
      },
    ]);
  });

  for (const retried of [429, 502, 503, 504])
    it(`asks to send again after ${retried}`, async () => {
      status = retried;
      const error = await failure();
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(PermanentRefusal);
      expect(String(error)).to.include(`answers ${retried}`);
    });

  for (const refused of [400, 401, 404, 500])
    it(`does not ask to send again after ${refused}`, async () => {
      status = refused;
      expect(await failure()).to.be.instanceOf(PermanentRefusal);
    });

  it('counts what a partial success leaves out', async () => {
    body = JSON.stringify({ partialSuccess: { rejectedLogRecords: '2', errorMessage: 'too old' } });
    const error = await failure();
    expect(error).to.be.instanceOf(PermanentRefusal).and.have.property('refused', 2);
  });

  it('takes an empty partial success and an answer that is no JSON for a success', async () => {
    for (const said of [
      '{"partialSuccess":{}}',
      '',
      'taken',
      '[]',
      '{"partialSuccess":{"rejectedLogRecords":"x"}}',
    ]) {
      body = said;
      expect(await failure(), said).to.equal(undefined);
    }
  });

  it('follows no redirection', async () => {
    status = 307;
    expect(await failure()).to.be.instanceOf(Error);
    expect(requests).to.have.length(1);
  });

  it('says why nobody answers', async () => {
    const place = address();
    await new Promise((resolve) => server.close(resolve));
    const error = await new OtlpReceiver(place).deliver(['{}']).catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/The OTLP receiver does not answer: .*ECONNREFUSED/);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
});
