# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-bookworm-slim
# bubblewrap is the sandbox of commands; git and ripgrep are for the commands that agents run.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap git ripgrep \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/castellan-*.tgz /tmp/
RUN npm install --global --ignore-scripts /tmp/castellan-*.tgz && rm /tmp/castellan-*.tgz && npm cache clean --force
RUN mkdir /workspace /state && chown node:node /workspace /state
USER node
ENV CASTELLAN_WORKSPACE=/workspace XDG_STATE_HOME=/state
WORKDIR /workspace
VOLUME ["/workspace", "/state"]
EXPOSE 7337
# Over stdio nothing listens there, and the server lives as long as its container.
HEALTHCHECK --interval=30s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:7338/healthz').then(r => process.exit(r.ok ? 0 : 1), e => process.exit(e.cause?.code === 'ECONNREFUSED' ? 0 : 1))"]
ENTRYPOINT ["castellan"]
CMD ["serve"]
