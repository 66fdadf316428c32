FROM python:3.11-slim
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/tabwright
COPY requirements.lock ./
RUN pip install --quiet --no-deps --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY app ./app
COPY knowledge ./knowledge
COPY demo ./demo
COPY extension ./extension
RUN pip install --quiet --no-deps --no-build-isolation --no-index -e . \
 && useradd --create-home --uid 10001 tabwright && install -d -o tabwright /var/lib/tabwright
USER tabwright
ENV TABWRIGHT_DATA_DIR=/var/lib/tabwright
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8787/readyz', timeout=4)"]
CMD ["tabwright", "serve", "--host", "0.0.0.0", "--port", "8787"]
