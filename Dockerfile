# Dinette in a small image. Arguments of DynamoDB Local's containers are understood, so a compose file needs another
# image name, and no -dbPath:
#
#   docker build -t dinette . && docker run --rm -p 8000:8000 dinette -inMemory -sharedDb

FROM debian:12-slim AS build
WORKDIR /src
COPY scripts/setup scripts/setup
COPY scripts/packages scripts/packages
COPY src/page/package.json src/page/package-lock.json src/page/.npmrc src/page/
RUN scripts/setup build page
COPY . .
RUN cmake --preset release -DDINETTE_TESTS=OFF \
    && cmake --build --preset release --target dinette \
    && strip build/release/dinette build/release/dinette-durable

FROM debian:12-slim
COPY scripts/setup /opt/setup/scripts/setup
COPY scripts/packages /opt/setup/scripts/packages
RUN /opt/setup/scripts/setup runtime \
    && rm -rf /opt/setup /var/lib/apt/lists/* \
    && useradd --system --user-group --home-dir /data --create-home dinette
COPY --from=build /src/build/release/dinette /usr/local/bin/dinette
# Takes over when there is a data folder.
COPY --from=build /src/build/release/dinette-durable /usr/local/libexec/dinette-durable
# For what starts DynamoDB Local by itself.
RUN ln -s dinette /usr/local/bin/java

USER dinette
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8000
# A container that listens on another port or with TLS says so here too: dinette healthcheck --port N --tls
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["dinette", "healthcheck"]
ENTRYPOINT ["dinette", "--host", "0.0.0.0"]
