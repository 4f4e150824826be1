# Dinette in a small image. Arguments of DynamoDB Local's containers are understood, so a compose file needs another
# image name; with -dbPath, also a folder without DynamoDB Local's database:
#
#   docker build -t dinette . && docker run --rm -p 8000:8000 dinette -inMemory -sharedDb

FROM debian:12-slim AS build
WORKDIR /src
COPY scripts/setup scripts/setup
COPY scripts/packages scripts/packages
RUN scripts/setup build image
COPY . .
RUN cmake --preset release -DDINETTE_TESTS=OFF -DDINETTE_TOGETHER=ON \
    && cmake --build --preset release --target dinette dinette-full \
    && scripts/image_root build/release /image

# Nothing but the program, its libraries and a small shell.
FROM scratch
COPY --from=build /image /
COPY --from=build --chown=999:999 /image/data /data

ENV PATH=/usr/local/bin:/bin
USER 999:999
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8000
# A container that listens on another port or with TLS says so here too: dinette healthcheck --port N --tls
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["dinette", "healthcheck"]
ENTRYPOINT ["dinette", "--host", "::"]
