# Cardstock in one image: the server, its dashboard and its commands.
#
#   docker build --tag cardstock .
#   docker run --publish 3000:3000 --volume cardstock-data:/data cardstock
#
# The commands of package.json run beside the server: docker exec NAME bun run doctor

FROM docker.io/oven/bun:1.4.5-slim AS base
WORKDIR /app

# Production packages only. This layer is rebuilt when the lock file changes, not with the code.
FROM base AS dependencies
COPY package.json bun.lock ./
# An empty package that replaces the telemetry of swagger-ui-dist.
COPY scripts/tools/no-telemetry scripts/tools/no-telemetry
# Peer dependencies are the compiler and its types, which nothing loads.
RUN bun install --frozen-lockfile --production --omit=peer --ignore-scripts

FROM base AS server
LABEL org.opencontainers.image.title="Cardstock" \
      org.opencontainers.image.description="A self-hosted pricing service for trading cards." \
      org.opencontainers.image.licenses="MIT"

# Nothing outside reaches localhost in a container, so the server listens on every address.
# The root file system may be read-only: Bun writes no cache, and all data is in /data.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0

# A new volume takes the owner of the folder on which it is mounted.
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data

COPY --from=dependencies /app/node_modules ./node_modules
# .dockerignore lists what is copied.
COPY . .

# The user "bun" of the base image, as a number, so that a cluster can check that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000

# A large catalog may take as long as the start period to open; the first success ends it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).catch(() => undefined); process.exit(answer?.ok ? 0 : 1)"]

# Without a shell or `bun run` in between, SIGTERM reaches the server at once.
CMD ["bun", "src/main.ts"]
