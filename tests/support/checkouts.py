"""Checkouts of sites of many layouts, with a bare remote each, over real git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.store.git import clone, found
from tests.support.repository import PERSON, write

FACTORY = {
    "shop/__init__.py": "from flask import Flask\n\n\ndef create_app(config=None):\n    app = Flask(__name__)\n"
    "    from shop.views import goods\n    app.register_blueprint(goods.pages, url_prefix='/shop')\n    return app\n",
    "shop/views/__init__.py": "",
    "shop/views/goods.py": "import os\nfrom flask import Blueprint, request\nfrom shop.goods import LAMPS\n"
    "pages = Blueprint('goods', __name__)\nMODE = os.environ['SHOP_MODE']\n\n\n"
    "@pages.get('/lamps/<slug>')\ndef lamp(slug):\n    return LAMPS[slug]['title']\n\n\n"
    "@pages.route('/find')\ndef find():\n    return request.args['word']\n\n\n"
    "@pages.route('/login', methods=['GET', 'POST'])\ndef login():\n    return 'in'\n",
    "shop/goods.py": "LAMPS = {\n    'oil-lamp': {'title': 'Oil'},\n    'gas-lamp': {'title': 'Gas'},\n}\n"
    "RATES = [0.1, 0.2]\nWORDS = {'a': 1}\n",
    "shop/templates/lamp.html": "<p></p>\n",
    "content/notes/one.md": "---\ntitle: One\n---\n",
    "content/notes/two.md": "---\ntitle: Two\n---\n",
    "data/ports.yaml": "ports:\n  - {id: mole, name: The mole}\n  - {id: quay, name: The quay}\n",
    "tests/test_shop.py": "def create_app():\n    pass\n",
    "setup.py": "app = Flask('no')\n",
}


def checkout(folder: Path, files: Mapping[str, str]) -> Path:
    """A clone of a new remote that holds the files."""
    write(folder / "first", files)
    found(folder / "remote.git", folder / "first", "First commit", PERSON, "main")
    clone(str(folder / "remote.git"), folder / "site", "main")
    return folder / "site"
