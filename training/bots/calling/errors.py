"""What can go wrong when a bot is asked, in words its owner can act on.

CallFailed
├── BadAddress    the address itself cannot be used; no try will help
└── (others)      this try failed, named by ``code``
"""

from typing import Literal

Code = Literal[
    "unknown-host",
    "private-address",
    "refused",
    "timeout",
    "tls",
    "redirect",
    "status",
    "too-long",
    "compressed",
    "broken-answer",
    "unreadable",
    "no-hello",
]

SENTENCES: dict[Code, str] = {
    "unknown-host": "The host name was not found. Check its spelling and its DNS entry.",
    "private-address": (
        "The host name leads to an address that is not public. Give your bot a public address, "
        "or let it come here as a client with its token."
    ),
    "refused": "Nobody answered at this address and port. Is the bot running and reachable?",
    "timeout": "The bot took too long. Answer faster, or set fewer things between us.",
    "tls": "The certificate of the host is not valid for its name. Renew it, or use http.",
    "redirect": "The address sent us on elsewhere. Register the final address.",
    "status": "The bot answered with an error status. Answer 200 with a JSON action.",
    "too-long": "The answer was too long. An action is one short JSON object.",
    "compressed": "The answer was compressed. Send it as it is.",
    "broken-answer": "The connection ended in the middle, or spoke another protocol.",
    "unreadable": 'The answer was no action. Send {"action": "offer", "price": 60.0}.',
    "no-hello": 'The bot did not greet back. Answer {"hello": X} with {"hello": X}.',
}
"""Everything an owner is told about a failed call; nothing else of it is kept."""


class CallFailed(Exception):
    """The bot could not be asked, or gave no usable answer.

    Attributes:
        code: which of the sentences it is.
    """

    def __init__(self, code: Code) -> None:
        self.code = code
        super().__init__(SENTENCES[code])


class BadAddress(ValueError):
    """The address cannot be called at all; the message says what would be right."""
