# docker build -t notbad . && docker run --rm -p 8080:8080 notbad
# Debian 12: --build-arg DEBIAN=bookworm. How to run it: server/deploy/README.md
ARG DEBIAN=trixie

FROM debian:${DEBIAN}-slim AS build
WORKDIR /src
COPY server/packages.sh server/
RUN bash -c '. server/packages.sh && notbad_install "${notbad_build_packages[@]}" ccache dpkg-dev file'
COPY . .
# Jobs at once, one a core unless given; `ci` makes an error of every warning; OFF leaves the tests out.
ARG CMAKE_BUILD_PARALLEL_LEVEL=""
ARG PRESET=release
ARG TESTS=ON
# After an edit only what it touches is compiled again.
ENV LANG=C.UTF-8 CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DIR=/ccache CCACHE_BASEDIR=/src CCACHE_NOHASHDIR=1
RUN --mount=type=cache,target=/ccache \
    cmake --preset ${PRESET} -D NOTBAD_BUILD_TESTS=${TESTS} && cmake --build --preset ${PRESET} \
    && if [ "${TESTS}" = ON ]; then ctest --preset ${PRESET} --no-tests=error; fi
# The package knows which of Debian's it needs on this release.
RUN cpack --config build/release/CPackConfig.cmake -G DEB -B /package \
    && dpkg-deb --extract /package/notbad_*.deb /image \
    && dpkg-deb --field /package/notbad_*.deb Depends >/package/depends

FROM debian:${DEBIAN}-slim
RUN --mount=type=bind,from=build,source=/package,target=/package \
    apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get satisfy -y -qq --no-install-recommends "$(cat /package/depends)" \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/cache/ldconfig/aux-cache \
        /var/log/apt /var/log/dpkg.log /var/log/alternatives.log
COPY --from=build /image/usr/share /usr/share
COPY --from=build /image/usr/bin /usr/bin

ARG DEBIAN
LABEL org.opencontainers.image.title="notbad" \
      org.opencontainers.image.description="A sentiment service that shows its work" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="debian:${DEBIAN}-slim"
ENV NOTBAD_HOST=0.0.0.0
EXPOSE 8080
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["/usr/bin/notbad-server", "healthcheck"]
ENTRYPOINT ["/usr/bin/notbad-server"]
