# The image holds one static binary and nothing else: no shell, no package manager,
# no user but a number. Everything that changes is in the volume /data.

ARG BUILDER=golang:1.26
FROM ${BUILDER} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN ["go", "mod", "download"]
COPY . .
ARG VERSION=
ARG COMMIT=
# In GOFLAGS, since a RUN without a shell does not expand variables.
ENV CGO_ENABLED=0 GOFLAGS="-trimpath '-ldflags=-s -w -X main.version=${VERSION} -X main.commit=${COMMIT}'"
RUN ["go", "build", "-o", "/out/skillregistry", "./cmd/skillregistry"]
# An empty folder for the volume.
WORKDIR /out/data

FROM scratch AS final
# For PostgreSQL over TLS with a certificate of a public authority.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/skillregistry /skillregistry
# A new volume takes its owner from the folder that it covers.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
# Here skillregistry.db comes to lie where no database is configured.
WORKDIR /data
VOLUME /data
ENV SKILLREGISTRY_ADDR=:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/skillregistry", "healthcheck"]
ENTRYPOINT ["/skillregistry"]
CMD ["serve"]
