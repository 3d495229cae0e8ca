ARG PYTHON=python:3.13-slim
FROM ${PYTHON} AS build
COPY . /source
RUN pip wheel --quiet --disable-pip-version-check --wheel-dir /wheels "/source[live]"

FROM ${PYTHON}
RUN apt-get update > /dev/null && apt-get install -y --no-install-recommends git > /dev/null && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN pip install --quiet --disable-pip-version-check --no-index --find-links /wheels "kafka-advisor[live]" \
    && rm -rf /wheels \
    && python -m compileall -q "$(python -c 'import advisor, os; print(os.path.dirname(os.path.dirname(advisor.__file__)))')" \
    && useradd --create-home --uid 10001 advisor
USER advisor
WORKDIR /work
ENTRYPOINT ["kafka-advisor"]
CMD ["--help"]
